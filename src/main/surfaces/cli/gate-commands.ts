import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { GateAction, GateState, TaskType } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { Decision, GateLine, Metrics, PredictionView } from '../../../shared/review'
import { given, oneOf, type Run } from './context'
import { gateIn } from './ids'
import { plural } from './words'

interface AddOptions {
  state: string
  taskType?: string
  project?: string
  upstream?: string[]
  question?: string
  lineage?: string
}

export function addGateCommands(program: Command, run: Run): void {
  const gate = program.command('gate').description('plans that wait for a decision, and those decided')
  addReading(gate, run)
  addDeciding(gate, run)

  const metrics = program
    .command('metrics')
    .description('how well the proxy foresaw the person')
    .option('--state <state>')
    .option('--task-type <type>')
  run(metrics, async ({ call }) => {
    const options = metrics.opts<{ state?: string; taskType?: string }>()
    const value = await call('metrics.get', {
      ...given({
        state: options.state === undefined ? undefined : oneOf(GateState, options.state, 'state'),
        taskType: options.taskType === undefined ? undefined : oneOf(TaskType, options.taskType, 'task type'),
      }),
    })
    return { value, text: metricsText(value) }
  })
}

function addReading(gate: Command, run: Run): void {
  const add = gate
    .command('add')
    .description('put a plan in the queue')
    .argument('<file>')
    .option('--state <state>', GateState.options.join(', '), 'PLAN_ASSERT')
    .option('--task-type <type>', TaskType.options.join(', '))
    .option('--project <name>')
    .option('--upstream <file...>', 'what the artifact answers')
    .option('--question <text>')
    .option('--lineage <id>', 'an earlier gate’s lineage, for a new round')
  run(add, async ({ call }, [file = '']) => {
    const options = add.opts<AddOptions>()
    const value = await call('gates.add', {
      text: readText(file),
      title: undefined,
      state: oneOf(GateState, options.state, 'state'),
      upstream: (options.upstream ?? []).map((path) => ({ name: basename(path), text: readText(path) })),
      origin: 'cli',
      ...given({
        taskType: options.taskType === undefined ? undefined : oneOf(TaskType, options.taskType, 'task type'),
        project: options.project,
        question: options.question,
        lineage: options.lineage,
      }),
    })
    return { value, text: `${value.id}  round ${value.version} of ${value.lineage}` }
  })

  const list = gate
    .command('list')
    .description('the queue')
    .option('--open', 'only what waits')
    .option('--project <name>')
  run(list, async ({ call }) => {
    const options = list.opts<{ open?: boolean; project?: string }>()
    const value = await call('gates.list', {
      open: options.open ?? false,
      ...given({ project: options.project }),
    })
    return { value, text: value.gates.map(gateLine).join('\n') || 'No gate.' }
  })

  const show = gate
    .command('show')
    .description('one gate with its versions, notes and decision')
    .argument('<id>')
  run(show, async ({ call }, [id = '']) => {
    const value = await call('gates.show', { id: gateIn(id) })
    const decision = value.decision ? decisionText(value.decision) : 'not decided'
    const newest = value.versions.at(-1)?.text ?? ''
    return {
      value,
      text: [gateLine(value), decision, predictionText(value.prediction), '', newest].join('\n'),
    }
  })

  const bring = gate
    .command('import')
    .description('the plan gates in ingested transcripts, with their true decisions')
    .argument('[path]')
  run(bring, async ({ call }, [path]) => {
    const value = await call('gates.import', {
      ...given({ path: path === undefined ? undefined : resolve(path) }),
    })
    return {
      value,
      text: `${value.found} found, ${value.imported} new: ${value.approve} approved, ${value.correct} corrected, ${value.reject} rejected, ${value.pending} without a decision`,
    }
  })
}

function addDeciding(gate: Command, run: Run): void {
  const predict = gate
    .command('predict')
    .description('seal a prediction; it stays hidden until you decide')
    .argument('<id>')
    .option('--engine <name>', 'case or model', 'case')
    .option('--reveal', 'see it now; the gate is then scored apart')
  run(predict, async ({ call }, [id = '']) => {
    const options = predict.opts<{ engine: string; reveal?: boolean }>()
    const engine = options.engine
    if (engine !== 'case' && engine !== 'model')
      throw new AppError('bad-input', `There is no engine "${engine}": case, model.`)
    const view = await call('gates.predict', { id: gateIn(id), engine, reveal: options.reveal ?? false })
    return {
      value: { ...view.revealed, seal: view.seal, sealedAt: view.sealedAt },
      text: predictionText(view),
    }
  })

  const decide = gate
    .command('decide')
    .description('record your decision; the prediction is revealed')
    .argument('<id>')
    .requiredOption('--action <action>', GateAction.options.join(', '))
    .option('--notes <text>')
  run(decide, async ({ call }, [id = '']) => {
    const options = decide.opts<{ action: string; notes?: string }>()
    const detail = await call('gates.decide', {
      id: gateIn(id),
      action: oneOf(GateAction, options.action, 'action'),
      notes: options.notes ?? '',
      via: 'cli',
    })
    const value = {
      id: detail.id,
      action: detail.decision?.action,
      outcome: detail.decision?.outcome,
      prediction: { seal: detail.prediction?.seal, ...detail.prediction?.revealed },
      surpriseBits: detail.decision?.surpriseBits ?? null,
    }
    return {
      value,
      text: [gateLine(detail), ...told(detail.decision), predictionText(detail.prediction)].join('\n'),
    }
  })
}

/** From this many scored gates on a rate says something. */
const ENOUGH = 10

function metricsText(value: Metrics): string {
  const head = `${plural(value.n, 'gate')} decided after a hidden prediction, ${value.remembered} remembered`
  if (value.n < ENOUGH) return `${head}\nhow well it foresees you: too few to say (n=${value.n})`
  const show = (n: number | null): string => (n === null ? '–' : n.toFixed(3))
  return [
    head,
    `accuracy  before ${show(value.accuracy.prior)}  after ${show(value.accuracy.posterior)}`,
    `Brier     before ${show(value.brier.prior)}  after ${show(value.brier.posterior)}`,
    `log loss  before ${show(value.logLoss.prior)}  after ${show(value.logLoss.posterior)}`,
    `skill     against the base rate ${show(value.skill.baseRate)}, against always approving ${show(value.skill.alwaysApprove)}`,
    `surprise rate ${show(value.surpriseRate)}, prior overturned ${show(value.priorOverturned)}`,
  ].join('\n')
}

const decisionText = ({ outcome, notes }: Decision): string =>
  notes.trim() === '' ? outcome : `${outcome}: ${notes}`

/** The line of the gate tells the outcome; only what was said with it is told apart. */
const told = (decision: Decision | null): string[] => (decision?.notes.trim() ? [decisionText(decision)] : [])

function readText(file: string): string {
  try {
    return readFileSync(resolve(file), 'utf8')
  } catch (cause) {
    throw new AppError('unreadable', `${file} cannot be read.`, { cause })
  }
}

const gateLine = (gate: GateLine): string =>
  `${gate.id}  ${gate.outcome ?? gate.status}  ${gate.state}  ${gate.taskType}  round ${gate.round}  ${gate.title}`

function predictionText(view: PredictionView | null): string {
  if (!view) return 'no prediction'
  if (!view.revealed) return `prediction sealed ${view.seal.slice(0, 12)}…, hidden until you decide`
  const { prior, posterior, surprise, salience } = view.revealed
  const pass = (name: string, p: typeof prior): string =>
    `${name}: approve ${p.approve.toFixed(2)}, correct ${p.correct.toFixed(2)}, reject ${p.reject.toFixed(2)}.${p.reason === '' ? '' : ` ${p.reason}`}`
  return [
    pass('before reading', prior),
    pass('after reading', posterior),
    surprise.fired ? `surprise: ${salience}` : 'no surprise',
  ].join('\n')
}
