import { describe, expect, test } from 'vitest'
import {
  distillationText,
  errorLine,
  itemRungs,
  keySentence,
  sentencesOf,
  stepSentence,
} from '../../../src/main/curator'

const conclusion = `Great, let me summarise what happened.

## Summary

I looked at \`src/auth/session.ts\` and at the tests around it.
The login failed because the cookie was written before the session was saved.
We decided to save the session first instead of retrying the cookie. All 42 tests pass now.

\`\`\`ts
await session.save()
\`\`\`

- The token must never be logged.
- Should we also rotate the refresh token?`

describe('sentences', () => {
  test('of a text that is read in two pieces never begin in the middle of a word, nor of a sentence', () => {
    const said = (n: number) => `Dolor number ${n} was fixed sit amet lorem ipsum.`
    const words = Array.from({ length: 2_000 }, (_, n) => said(n)).join(' ')
    const whole = new Set(Array.from({ length: 2_000 }, (_, n) => said(n)))
    for (let cut = 0; cut < 12; cut++) {
      const found = sentencesOf(`${words}${'x'.repeat(cut)}`).map(({ text }) => text)
      // The piece from the beginning may end in the middle of one.
      expect(found.filter((text) => !whole.has(text.replace(/x+$/, ''))).length).toBeLessThanOrEqual(1)
    }
    // Where no sentence ends, at a word; where no word does, as it stands.
    expect(sentencesOf('lorem ipsum '.repeat(5_000)).at(-1)?.text).toMatch(/^(?:lorem|ipsum) /)
    expect(sentencesOf('多'.repeat(40_000)).length).toBe(2)
  })

  test('after the mark of what the journal left out begin anew, and the mark is none', () => {
    const text =
      'The queue was closed.\n[… 4200 characters left out …]\nr sit amet. It now retries three times.'
    expect(sentencesOf(text).map((sentence) => sentence.text)).toEqual([
      'The queue was closed.',
      'It now retries three times.',
    ])
  })

  test('leave out code, tables and marks, and join wrapped lines', () => {
    const text =
      '# A *title*\nOne line\nthat goes on. Next one.\n\n```\ncode. More code.\n```\n| a | b |\n- **bold** point'
    expect(sentencesOf(text)).toEqual([
      { text: 'A *title*', shape: 'heading' },
      { text: 'One line that goes on.', shape: 'prose' },
      { text: 'Next one.', shape: 'prose' },
      { text: 'bold point', shape: 'bullet' },
    ])
  })

  test('show no escapes of Markdown', () => {
    expect(sentencesOf('\\#1 is broken, \\_all\\_ of it.').map((s) => s.text)).toEqual([
      '#1 is broken, _all_ of it.',
    ])
  })

  test('do not end at abbreviations, versions and file names', () => {
    const text = 'Use e.g. Redis for v1.2. It lives in a.config.ts now. Done.'
    expect(sentencesOf(text).map((s) => s.text)).toEqual([
      'Use e.g. Redis for v1.2.',
      'It lives in a.config.ts now.',
      'Done.',
    ])
  })

  test('of hostile text are bounded and found in linear time', () => {
    for (const text of [
      '.'.repeat(1e6),
      '# '.repeat(5e5),
      '[a]('.repeat(3e5),
      '**'.repeat(5e5),
      'A. '.repeat(4e5),
    ])
      expect(sentencesOf(text).length).toBeLessThanOrEqual(400)
  })
})

describe('L1', () => {
  test('says what was decided or done, not what comes first', () => {
    expect(keySentence(conclusion, 'conclusion', 'Login fails after the update')).toBe(
      'The login failed because the cookie was written before the session was saved.',
    )
    expect(
      keySentence(
        'Thanks! Here is the plan: we will look around. We chose SQLite instead of Postgres.',
        'note',
      ),
    ).toBe('We chose SQLite instead of Postgres.')
  })

  test('passes over questions to the reader, conditions and chatter', () => {
    const text = `Yeah, I see.

- Added a retry to the upload of receipts
- If it fails again, the job should be added to the queue by hand

Want me to open a pull request? Or would you rather have it merged first?`
    expect(keySentence(text, 'conclusion')).toBe('Added a retry to the upload of receipts')
  })

  test('is never an announcement, a heading or praise where anything is told', () => {
    const text = `I'll explore your current configuration to see what needs to change.

## Handlers

That's a clever middle ground. Both files have been updated successfully.

- The session end hook never fired because the handler was not registered

Ready to go on?`
    expect(keySentence(text, 'conclusion')).toBe(
      'The session end hook never fired because the handler was not registered',
    )
    expect(keySentence(`Yeah, it's a pointless detour. Let me look at the callers.`, 'note')).toBe(
      `It's a pointless detour.`,
    )
  })

  test('is not that a check passed where something was made, nor an order to another agent, nor an offer', () => {
    const built = 'Build passes, all 37 tests pass.\n\nThe watcher now starts before the agent.'
    expect(keySentence(built, 'conclusion')).toBe('The watcher now starts before the agent.')
    expect(keySentence('Build passes, all 37 tests pass.', 'conclusion')).toBe(
      'Build passes, all 37 tests pass.',
    )
    const order = 'Report what you changed and whether tests pass.\n\nThe parser reads each transcript twice.'
    expect(keySentence(order, 'note')).toBe('The parser reads each transcript twice.')
    const offer = 'I can help figure out how to wire them up. Your dotfiles belong into the home folder.'
    expect(keySentence(offer, 'conclusion')).toBe('Your dotfiles belong into the home folder.')
    const talk = "That's a crucial distinction! A rebase in the browser loses the notes."
    expect(keySentence(talk, 'conclusion')).toBe('A rebase in the browser loses the notes.')
  })

  test('of a request is what is wanted', () => {
    const text =
      'I was on the train yesterday and saw something odd on the dashboard again. Please fix the flicker of the chart when the theme changes. Thank you for your help with all of this, it is really appreciated.'
    expect(keySentence(text, 'goal')).toBe('Please fix the flicker of the chart when the theme changes.')
  })

  test('of a step is a sentence made by rules', () => {
    const step = (kind: string, data: Record<string, unknown>, text = '') =>
      stepSentence({ kind, text, tool: null, data, cwd: '/home/ann/shop' })
    expect(step('file_op', { path: 'src/a.ts', op: 'edit', added: 12, removed: 3 })).toBe(
      'Edited src/a.ts (+12 −3)',
    )
    expect(step('file_op', { path: 'src/a.ts', op: 'read' })).toBe('Read src/a.ts')
    expect(step('file_op', { path: '/home/ann/shop/src/a.ts', op: 'read' })).toBe('Read src/a.ts')
    expect(step('file_op', { path: '/home/ann/other/a.ts', op: 'write', added: 2 })).toBe(
      'Wrote ~/other/a.ts (+2)',
    )
    expect(step('file_op', { path: '.', op: 'search' }, 'Grep retryCount in .')).toBe('Grep retryCount in .')
    expect(step('command', { command: 'npm test', failed: false })).toBe('Ran npm test')
    expect(
      step(
        'command',
        { command: 'npm test', failed: true, exitCode: 1 },
        'ok 1\nError: no such table: users\n    at x (y.js:1)',
      ),
    ).toBe('Ran npm test: failed, exit 1: Error: no such table: users')
    expect(step('decision', { of: 'plan', verdict: 'refused', words: 'Add a rollback first.' })).toBe(
      'Refused the plan: Add a rollback first.',
    )
    expect(step('decision', { of: 'tool', tool: 'Bash', verdict: 'bare-stop', words: '' })).toBe(
      'Stopped Bash',
    )
    expect(step('note', {}, 'x')).toBeNull()
  })

  test('the line of an output that says what went wrong', () => {
    expect(
      errorLine(
        '> build\nsrc/a.ts(3,1): error TS2304: Cannot find name\n\u001b[31mnpm error code 2\u001b[0m\n',
      ),
    ).toBe('src/a.ts(3,1): error TS2304: Cannot find name')
    expect(errorLine('stat: No such file or directory\n\n167 entire/sessions entirely ordinary')).toBe(
      'stat: No such file or directory',
    )
    expect(errorLine('a.go:8:13: string has 4 occurrences\n1 issues:\n[lint] ERROR task failed')).toBe(
      'a.go:8:13: string has 4 occurrences',
    )
    expect(errorLine('<tool_use_error>Found 2 matches.\nString: x\n}</tool_use_error>')).toBe(
      'Found 2 matches.',
    )
    expect(errorLine('only this')).toBe('only this')
    expect(errorLine('')).toBe('')
  })

  test('a text that is one short sentence is its own L1', () => {
    const rungs = itemRungs(
      { kind: 'note', text: 'Cache moved to Redis.', tool: null, data: {}, cwd: null },
      '',
    )
    expect(rungs[0]).toEqual({ level: 'L1', text: 'Cache moved to Redis.', method: 'verbatim' })
  })

  test.each([
    ['Now let me run the tests again.', 0],
    ['Good. Let me fix the lint issue:', 0],
    ["Let's look at it", 0],
    ['Let me check `SaveContext` for the position.', 1],
    ['All tests pass. Let me commit.', 1],
    ['The squash keeps its trailers', 1],
  ])('a short note that only says what comes next has none: "%s"', (text, sentences) => {
    const note = { kind: 'note' as const, text, data: {}, cwd: null, tool: null }
    expect(itemRungs(note, '').filter(({ level }) => level === 'L1')).toHaveLength(sentences)
    expect(itemRungs(note, '').filter(({ level }) => level === 'L3')).toHaveLength(1)
    expect(itemRungs({ ...note, kind: 'goal' }, '').filter(({ level }) => level === 'L1')).toHaveLength(1)
  })

  test('no rung is longer than its item', () => {
    const texts = [
      conclusion,
      'ok',
      'Yes.',
      'src/a.ts',
      '```\nonly code\n```',
      '| a | b |',
      'word '.repeat(3_000),
      'x'.repeat(9_000),
    ]
    const kinds = ['goal', 'conclusion', 'plan', 'note', 'decision', 'error', 'command', 'file_op'] as const
    for (const text of texts) {
      for (const kind of kinds) {
        const data = {
          path: 'src/some/long/path.ts',
          op: 'read',
          command: 'npm run something',
          failed: true,
          verdict: 'approve',
        }
        for (const rung of itemRungs({ kind, text, tool: 'Bash', data, cwd: null }, '')) {
          expect(rung.text.length, `${kind} ${rung.level} of ${text.slice(0, 20)}`).toBeLessThanOrEqual(
            text.length,
          )
          expect(rung.text).not.toContain('\n')
          expect(rung.text).not.toBe('')
        }
      }
    }
  })
})

describe('L2', () => {
  test('lists what was decided, what binds, what came out and what is open', () => {
    const long = `${conclusion}\n\n${'Some more words about nothing in particular follow here. '.repeat(20)}`
    const l2 = itemRungs({ kind: 'conclusion', text: long, tool: null, data: {}, cwd: null }, '').find(
      (r) => r.level === 'L2',
    )
    expect(JSON.parse(l2?.text ?? '{}')).toEqual({
      entities: ['src/auth/session.ts', 'session.save'],
      decisions: ['We decided to save the session first instead of retrying the cookie.'],
      constraints: ['The token must never be logged.'],
      outcomes: [
        'The login failed because the cookie was written before the session was saved.',
        'All 42 tests pass now.',
      ],
      open_questions: ['Should we also rotate the refresh token?'],
    })
    expect(distillationText(l2?.text ?? '')).toMatch(
      /^Done: The login failed .*\nDecided: We decided .*\nBound by: /,
    )
    expect(distillationText('plain')).toBe('plain')
  })
})

describe('what is told of a text', () => {
  const l2 = (kind: 'goal' | 'note' | 'conclusion' | 'plan', text: string, data = {}) => {
    const padded = `${text}\n\n${'Plain words of the usual kind follow here and there. '.repeat(20)}`
    const rung = itemRungs({ kind, text: padded, tool: null, data, cwd: null }, '').find(
      (one) => one.level === 'L2',
    )
    return JSON.parse(rung?.text ?? 'null')
  }

  test('a person settles and corrects; asking settles nothing', () => {
    expect(
      l2('goal', 'No, put it in the upload handler instead. The cache must never hold tokens.'),
    ).toMatchObject({
      decisions: ['Put it in the upload handler instead.'],
    })
    expect(l2('goal', 'Where is the upload handled?')).toMatchObject({
      decisions: [],
      open_questions: ['Where is the upload handled?'],
    })
  })

  test('a list means what stands above it', () => {
    const text = (above: string): string =>
      `${above}\n\n- Retry of the upload in \`src/up.ts\`\n- Log of the upload`
    expect(l2('conclusion', text('Changes made:'))?.outcomes).toHaveLength(2)
    expect(l2('conclusion', text('Possible options:'))).toBeNull()
    expect(l2('conclusion', text('### Recommendations')).decisions).toHaveLength(2)
  })

  test('the same thing said twice stands once, and offers to go on are no open questions', () => {
    const told = l2(
      'note',
      'The import failed because the schema was stale. So the import failed: the schema was stale. Want me to fix it?',
    )
    expect(told.outcomes).toHaveLength(1)
    expect(told.open_questions).toEqual([])
  })
})

describe('L3', () => {
  const l3 = (kind: 'note' | 'command', text: string, data = {}): string =>
    itemRungs({ kind, text, tool: null, data, cwd: '/home/ann/shop' }, '').find((rung) => rung.level === 'L3')
      ?.text ?? ''

  test('names what the item names, in one line, the same every time', () => {
    const text =
      'The retry in src/pay/retry.ts throws ECONNRESET since #412, see the long discussion we had about that.'
    expect(l3('note', text)).toBe('note: src/pay/retry.ts, #412, ECONNRESET')
    expect(l3('note', text)).toBe(l3('note', text))
    expect(l3('command', 'x'.repeat(100), { command: 'npm test', failed: true })).toBe(
      'command: failed, npm test',
    )
  })

  test('says what it is about where nothing is named', () => {
    expect(l3('note', 'The customers were unhappy about the shipping delays during the summer months.')).toBe(
      'note: customers, unhappy, shipping, delays, during',
    )
  })
})

test('the mark of a secret is no topic of a skeleton', () => {
  const text = 'The login is password: [secret:password:ba80] so please use it with care here'
  const skeleton = itemRungs(
    { kind: 'note', text, data: {}, cwd: null } as Parameters<typeof itemRungs>[0],
    '',
  ).find(({ level }) => level === 'L3')
  expect(skeleton?.text).not.toMatch(/ba80|secret/)
})
