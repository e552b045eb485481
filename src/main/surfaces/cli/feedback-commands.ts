import type { Command } from 'commander'
import { dayText } from '../../../shared/days'
import { type Feedback, FeedbackVerdict } from '../../../shared/recall'
import { given, oneOf, parseCount, type Run } from './context'
import { handleIn, receiptIn } from './ids'

/** What the person says of a fact, used in every later frame. */
export function addFeedbackCommands(program: Command, run: Run): void {
  const feedback = program
    .command('feedback')
    .description('what you said of facts, and what frames make of it')

  const list = feedback
    .command('list')
    .description('the verdicts that stand, newest first')
    .argument('[handle...]', 'only those on these items')
  run(list, async ({ call }, handles) => {
    const value = await call('feedback.list', handles.length > 0 ? { handles: handles.map(handleIn) } : {})
    const text = value.feedback.length > 0 ? value.feedback.map(lineOf).join('\n') : 'No verdict stands.'
    return { value, text }
  })

  const give = feedback
    .command('give')
    .description('a verdict on an item; it takes the place of the one before')
    .argument('<handle>')
    .argument('<verdict>', FeedbackVerdict.options.join(', '))
    .option('--receipt <id>', 'the frame it stood in: the verdict then counts most for goals like that one')
  run(give, async ({ call }, [handle = '', verdict = '']) => {
    const { receipt } = give.opts<{ receipt?: string }>()
    const value = await call('feedback.give', {
      handle: handleIn(handle),
      verdict: oneOf(FeedbackVerdict, verdict, 'verdict'),
      ...given({ receipt: receipt === undefined ? undefined : receiptIn(receipt) }),
    })
    return { value, text: lineOf(value.feedback) }
  })

  const undo = feedback
    .command('undo')
    .description('take a verdict back, by the number it is listed under')
    .argument('<number>')
  run(undo, async ({ call }, [number = '']) => {
    const id = parseCount(number)
    await call('feedback.undo', { id })
    return { value: { id }, text: `Taken back: ${id}.` }
  })
}

const lineOf = ({ id, handle, verdict, goal, givenAt }: Feedback): string =>
  `${id}  ${dayText(givenAt)}  ${verdict}  ${handle}${goal === '' ? '' : `  for: ${goal.replace(/\s+/g, ' ').slice(0, 80)}`}`
