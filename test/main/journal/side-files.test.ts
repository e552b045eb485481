import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { ingest, items, openJournal, put, scribe } from './transcripts'

const stub = (path: string, preview = 'first lines of it'): string =>
  `<persisted-output>\nOutput too large (91KB). Full output saved to: ${path}\n\nPreview (first 2KB):\n${preview}\n...\n</persisted-output>`

/** A session whose one command spilled its output; `named` is the path the record gives. */
function spilling(named: string) {
  const s = scribe('S1')
  s.user('run the tests')
  s.call('t1', 'Bash', { command: 'npm test' })
  s.result('t1', stub(named), { toolUseResult: { stdout: '', persistedOutputPath: named } })
  return s.text()
}
const LONG = `begin of it\n${'a line of noise\n'.repeat(6_000)}the end: 3 tests failed`

async function textOf(root: string): Promise<string> {
  const { db, journal } = openJournal()
  await ingest(journal, root)
  return items(db).find((item) => item.kind === 'command')?.text ?? ''
}

describe('an output that was written to a file', () => {
  test('is read back, so that its ending is known', async () => {
    const root = temporaryFolder()
    const path = put(join(root, 'slug', 'S1', 'tool-results', 'abc.txt'), LONG)
    put(join(root, 'slug', 'S1.jsonl'), spilling(path))
    const text = await textOf(root)
    expect(text).toContain('begin of it')
    expect(text).toContain('the end: 3 tests failed')
    expect(text.length).toBeLessThan(4_000)
  })

  test('is found beside the session when the folder was moved', async () => {
    const root = temporaryFolder()
    put(join(root, 'slug', 'S1', 'tool-results', 'abc.txt'), LONG)
    put(
      join(root, 'slug', 'S1.jsonl'),
      spilling('/home/someone/.claude/projects/slug/S1/tool-results/abc.txt'),
    )
    expect(await textOf(root)).toContain('the end: 3 tests failed')
  })

  test('leaves its preview when the file is gone', async () => {
    const root = temporaryFolder()
    put(join(root, 'slug', 'S1.jsonl'), spilling('/nowhere/abc.txt'))
    const text = await textOf(root)
    expect(text).toContain('first lines of it')
    expect(text).not.toContain('persisted-output')
  })

  test('is never read from outside the source: not by its path, not by a link, not by climbing', async () => {
    const outside = put(join(temporaryFolder(), 'private.txt'), 'what nobody enrolled')
    for (const named of [outside, `/x/../..${outside}`, '../../private.txt']) {
      const root = temporaryFolder()
      put(join(root, 'slug', 'S1.jsonl'), spilling(named))
      expect(await textOf(root)).not.toContain('what nobody enrolled')
    }
    const root = temporaryFolder()
    put(join(root, 'slug', 'S1', 'tool-results', 'real.txt'), 'x')
    symlinkSync(outside, join(root, 'slug', 'S1', 'tool-results', 'abc.txt'))
    put(join(root, 'slug', 'S1.jsonl'), spilling(join(root, 'slug', 'S1', 'tool-results', 'abc.txt')))
    expect(await textOf(root)).not.toContain('what nobody enrolled')
  })

  test('passes the door like any text', async () => {
    const root = temporaryFolder()
    const key = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`
    const path = put(join(root, 'slug', 'S1', 'tool-results', 'abc.txt'), `token ${key}\ndone`)
    put(join(root, 'slug', 'S1.jsonl'), spilling(path))
    const text = await textOf(root)
    expect(text).toContain('[secret:')
    expect(text).not.toContain(key)
  })
})

describe('a plan that was put to the person without its text', () => {
  function planning(planFile: string): string {
    const s = scribe('S1')
    s.user('plan the export')
    s.call('p1', 'ExitPlanMode', {})
    s.result('p1', 'User has approved exiting plan mode. You can now proceed.', {
      toolUseResult: { plan: null, isAgent: false, filePath: planFile },
    })
    return s.text()
  }

  test('has the text of its file, and says so', async () => {
    const config = temporaryFolder()
    const plan = put(join(config, 'plans', 'calm-brown-fox.md'), '# Export\n1. write it')
    put(join(config, 'projects', 'slug', 'S1.jsonl'), planning(plan))
    const { db, journal } = openJournal()
    await ingest(journal, config)
    const found = items(db).find((item) => item.kind === 'plan')
    expect(found?.text).toBe('# Export\n1. write it')
    expect(found?.data).toMatchObject({ gate: { toolUseId: 'p1' }, planFile: plan, fromFile: true })
  })

  test('stays empty when its file is not in the source', async () => {
    const config = temporaryFolder()
    const plan = put(join(config, 'plans', 'calm-brown-fox.md'), '# Export')
    put(join(config, 'projects', 'slug', 'S1.jsonl'), planning(plan))
    const { db, journal } = openJournal()
    await ingest(journal, join(config, 'projects'))
    const found = items(db).find((item) => item.kind === 'plan')
    expect(found?.text).toBe('')
    expect(found?.data).toMatchObject({ planFile: plan })
  })
})
