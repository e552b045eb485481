import { describe, expect, test } from 'vitest'
import { begin, ID, kinds, PNG, read } from './codex-support'

describe('speech told twice', () => {
  test('a prompt and an answer are one item each, with and without ids of turns', async () => {
    for (const turns of [true, false]) {
      const s = begin({ turns })
      s.turn()
      s.user('export the invoices as CSV')
      s.said('I look for the exporter.')
      s.call(ID, 'exec_command', { cmd: 'rg exporter' })
      s.output(ID, 'Process exited with code 0\nOutput:\nsrc/export.ts')
      s.said('The exporter writes CSV now.')
      s.done()
      const { all, report } = await read(s)
      expect(kinds(all)).toEqual(['goal', 'note', 'command', 'conclusion'])
      expect(all[0]?.text).toBe('export the invoices as CSV')
      expect(new Set(all.map((item) => item.goal))).toEqual(new Set([all[0]?.handle]))
      expect(all.every((item) => item.settled)).toBe(true)
      // Three of the doubles: two answers, and the prompt the event has claimed waits as attached.
      expect(report.records).toMatchObject({ duplicates: 2, errors: 0 })
    }
  })

  test('the same words said again are said again', async () => {
    const s = begin({ turns: false })
    for (const text of ['fix the test', 'fix the test', 'yes', 'yes']) {
      s.user(text)
      s.said('Done.')
    }
    const { all } = await read(s)
    expect(kinds(all)).toEqual([
      'goal',
      'conclusion',
      'goal',
      'conclusion',
      'note',
      'conclusion',
      'note',
      'conclusion',
    ])
  })

  test('where no event tells the prompt, what the model was given counts', async () => {
    const s = begin()
    s.turn()
    const text = 'rename the button'
    s.add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    s.said('Renamed.')
    const { all } = await read(s)
    expect(kinds(all)).toEqual(['goal', 'conclusion'])
    expect(all[1]?.goal).toBe(all[0]?.handle)
  })

  test('paginated files tell speech as completed items', async () => {
    const s = begin({ ordinals: true })
    const turn_id = s.turn()
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Fix the parser' }],
    })
    const user = { type: 'UserMessage', id: 'u1', content: [{ type: 'text', text: 'Fix the parser' }] }
    s.event('item_completed', { turn_id, item: user })
    const agent = { type: 'AgentMessage', id: 'a1', content: [{ type: 'Text', text: 'Fixed it' }] }
    s.event('item_completed', { turn_id, item: { ...agent, phase: 'final_answer' } })
    s.add('response_item', {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Fixed it' }],
    })
    s.done()
    const { all } = await read(s)
    expect(all.map((item) => [item.kind, item.text])).toEqual([
      ['goal', 'Fix the parser'],
      ['conclusion', 'Fixed it'],
    ])
  })

  test('a picture in the prompt is one image, however often it is told', async () => {
    const s = begin()
    s.turn()
    const url = `data:image/png;base64,${PNG}`
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: '<image name=[Image #1]>' },
        { type: 'input_image', image_url: url },
        { type: 'input_text', text: '</image>' },
        { type: 'input_text', text: 'what is wrong in [Image #1]?' },
      ],
    })
    s.event('user_message', { message: 'what is wrong in [Image #1]?', images: [url] })
    s.said('The border.')
    const { all } = await read(s)
    expect(kinds(all)).toEqual(['image', 'goal', 'conclusion'])
    expect(JSON.stringify(all)).not.toContain(PNG.slice(0, 40))
  })
})

describe('machine text', () => {
  test('instructions, environment and what developers say never become a goal', async () => {
    const s = begin()
    const given = (text: string, role = 'user') =>
      s.add('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] })
    given('<permissions instructions>\nnever\n</permissions instructions>', 'developer')
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: '# AGENTS.md instructions for /srv/shop\n\n<INSTRUCTIONS>be brief</INSTRUCTIONS>',
        },
        { type: 'input_text', text: '<environment_context>\n<cwd>/srv/shop</cwd>\n</environment_context>' },
      ],
    })
    given('<recommended_plugins>\nnone\n</recommended_plugins>')
    given('<skill>\n<name>deploy</name>\nhow to\n</skill>')
    s.turn()
    s.user('list the plugins')
    given('<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>')
    s.event('turn_aborted', { reason: 'interrupted' })
    const { all, dropped } = await read(s)
    expect(kinds(all)).toEqual(['goal'])
    expect(dropped).toMatchObject({ developer: 1, 'machine-text': 3, interruption: 2 })
  })

  test('a compaction repeats old messages, and none of it is new speech', async () => {
    const s = begin()
    s.turn()
    s.user('count the rows')
    s.said('Twelve.')
    s.done()
    const old = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'count the cells' }] },
    ]
    s.add('compacted', { message: 'The person counts things.', replacement_history: old })
    s.event('context_compacted')
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: 'Another language model started to solve this problem and produced a summary',
        },
      ],
    })
    const { all, dropped } = await read(s)
    expect(kinds(all)).toEqual(['goal', 'conclusion'])
    expect(dropped['compaction-summary']).toBe(3)
  })

  test('what an editor puts in front of a prompt is not part of it', async () => {
    const s = begin()
    s.turn()
    s.user(
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nsort the imports',
    )
    const { all } = await read(s)
    expect(all.map((item) => item.text)).toEqual(['sort the imports'])
  })

  test('encrypted thoughts are neither scanned nor kept', async () => {
    const s = begin()
    s.turn()
    s.user('think')
    const secret = `gAAAAA${'Qx7'.repeat(300)}`
    s.add('response_item', { type: 'reasoning', summary: [], content: null, encrypted_content: secret })
    const { all, report, dropped } = await read(s)
    expect(dropped.thinking).toBe(1)
    expect(report.masked).toBe(0)
    expect(JSON.stringify(all)).not.toContain('gAAAAA')
  })
})
