import { aider, cline, exported, markdown, specstory } from './planted-documents'
import { cursor, opencode } from './planted-stores'
import { at, escaped, type Json, lines, PIXEL, type Plant, type Planted } from './planting'

// A corpus in each format that grows line by line, and all of them in one table.

const claude: Plant = (next, n, name) => {
  const records: Json[] = []
  let parent: string | null = null
  const add = (type: string, message: Json, extra: Json = {}): void => {
    const uuid = `c${n}-${records.length}`
    const chain = { uuid, parentUuid: parent, sessionId: `S${n}`, cwd: '/srv/shop', version: '2.1.100' }
    records.push({ type, ...chain, isSidechain: false, timestamp: at(records.length), message, ...extra })
    parent = uuid
  }
  const user = (content: unknown, extra: Json = {}): void => add('user', { role: 'user', content }, extra)
  const agent = (block: Json): void =>
    add('assistant', { role: 'assistant', id: `m${records.length}`, content: [block] })
  const call = (id: string, name: string, input: Json, result: unknown, extra: Json = {}): void => {
    agent({ type: 'tool_use', id, name, input })
    user([{ type: 'tool_result', tool_use_id: id, content: result }], extra)
  }
  user(`please look into it: ${next()}`, { gitBranch: next() })
  agent({ type: 'text', text: `I found ${next()}` })
  call('t1', 'Bash', { command: `run ${next()}`, description: next() }, [{ type: 'text', text: next() }], {
    toolUseResult: { stdout: next(), stderr: next() },
  })
  call('t2', 'Edit', { file_path: `/srv/${name()}/x.ts`, old_string: next(), new_string: next() }, 'ok')
  call(
    't3',
    'Write',
    { file_path: '/srv/shop/env', content: JSON.stringify({ inner: JSON.stringify(next()) }) },
    'ok',
  )
  call('t4', 'mcp__notes__put', { [`key ${next()}`]: { deep: [next()] } }, [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL }, alt: next() },
  ])
  call(
    't5',
    'ExitPlanMode',
    { plan: `# Plan\n${next()}`, planFilePath: `/srv/plans/${name()}.md` },
    `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${next()}`,
  )
  call(
    't6',
    'AskUserQuestion',
    { questions: [{ question: next(), options: [{ label: next() }] }] },
    'answered',
    {
      toolUseResult: { answers: { [next()]: next() } },
    },
  )
  call('t7', 'TodoWrite', { todos: [{ content: next(), status: 'pending', activeForm: next() }] }, 'ok')
  user([{ type: 'text', text: `<command-name>/deploy</command-name><command-args>${next()}</command-args>` }])
  records.push({ type: 'custom-title', sessionId: `S${n}`, customTitle: next() })
  records.push({ type: 'summary', summary: next(), leafUuid: `c${n}-0` })
  records.push({ type: 'a-new-record', sessionId: `S${n}`, anything: next() })
  agent({ type: 'text', text: `Done with ${next()}` })
  return [
    {
      path: `claude/${name()}/S${n}.jsonl`,
      content: lines(records, n % 2 ? escaped : JSON.stringify),
    },
    {
      path: `claude/broken-${n}.jsonl`,
      content: `{"type":"user","message":"${next().replaceAll('"', "'")}\n${lines(records.slice(0, 1))}`,
    },
  ]
}

const codex: Plant = (next, n, name) => {
  const records: Json[] = []
  const id = `0198c0de-0000-7abc-8def-${String(n).padStart(12, '0')}`
  const add = (type: string, payload: Json): void =>
    void records.push({ timestamp: at(records.length), type, payload })
  const item = (payload: Json): void => add('response_item', payload)
  add('session_meta', {
    id,
    timestamp: at(0),
    cwd: '/srv/shop',
    originator: 'codex_cli_rs',
    cli_version: '0.140.0',
    source: 'cli',
    git: { branch: next() },
  })
  const words = `please look at ${next()}`
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] })
  add('event_msg', { type: 'user_message', message: words, images: [] })
  item({
    type: 'function_call',
    name: 'shell',
    arguments: JSON.stringify({ command: ['bash', '-lc', next()], workdir: `/srv/${name()}` }),
    call_id: 'k1',
  })
  item({
    type: 'function_call_output',
    call_id: 'k1',
    output: JSON.stringify({ output: next(), metadata: { exit_code: 1 } }),
  })
  item({
    type: 'custom_tool_call',
    name: 'apply_patch',
    input: `*** Begin Patch\n*** Update File: ${name()}.ts\n-${next()}\n+${next()}\n*** End Patch`,
    call_id: 'k2',
  })
  item({ type: 'custom_tool_call_output', call_id: 'k2', output: next() })
  item({
    type: 'function_call',
    name: 'update_plan',
    arguments: JSON.stringify({ explanation: next(), plan: [{ step: next(), status: 'pending' }] }),
    call_id: 'k3',
  })
  item({
    type: 'function_call',
    name: 'strange_tool',
    arguments: JSON.stringify({ a: next() }),
    call_id: 'k4',
  })
  item({ type: 'function_call_output', call_id: 'k4', output: 'exec command rejected by user' })
  add('event_msg', { type: 'thread_name_updated', thread_name: next() })
  add('event_msg', { type: 'a_new_event', text: next() })
  const last = `Done: ${next()}`
  add('event_msg', { type: 'agent_message', message: last })
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: last }] })
  return [
    {
      path: `codex/rollout-${name()}-${id}.jsonl`,
      content: lines(records, n % 2 ? escaped : JSON.stringify),
    },
  ]
}

const copilot: Plant = (next, n, name) => {
  const records: Json[] = []
  const add = (type: string, data: Json): void =>
    void records.push({
      type,
      data,
      id: `p${n}-${records.length}`,
      timestamp: at(records.length),
      parentId: null,
    })
  add('session.start', {
    sessionId: `p${n}`,
    version: 1,
    producer: 'copilot-agent',
    context: { cwd: '/srv/shop', branch: next(), repository: next() },
  })
  add('user.message', { content: `please do ${next()}` })
  const request = (toolCallId: string, name: string, args: Json, content: string): void => {
    add('assistant.message', {
      messageId: `m${records.length}`,
      content,
      toolRequests: [{ toolCallId, name, arguments: args, type: 'function' }],
    })
    add('tool.execution_start', { toolCallId, toolName: name, arguments: args })
    add('tool.execution_complete', {
      toolCallId,
      success: true,
      result: { content: next(), detailedContent: next() },
    })
  }
  request('t1', 'bash', { command: next(), description: next() }, next())
  request('t2', 'edit', { path: `/srv/${name()}`, old_str: next(), new_str: next() }, '')
  request('t3', 'exit_plan_mode', { summary: next() }, '')
  add('session.title_changed', { title: next() })
  add('a.new_event', { text: next() })
  add('assistant.message', { messageId: 'z', content: `Done ${next()}`, toolRequests: [] })
  return [{ path: `copilot/${name()}-${n}/events.jsonl`, content: lines(records) }]
}

const gemini: Plant = (next, n, name) => {
  const call = (id: string, name: string, args: Json, output: string, status = 'success'): Json => ({
    id,
    name,
    args,
    status,
    result: [{ functionResponse: { id, name, response: { output } } }],
  })
  const messages = (from: string): Json[] => [
    { id: `${from}1`, timestamp: at(1), type: 'user', content: [{ text: `please do ${next()}` }] },
    {
      id: `${from}2`,
      timestamp: at(2),
      type: 'gemini',
      content: next(),
      thoughts: [{ subject: next(), description: next() }],
      toolCalls: [
        call('a', 'run_shell_command', { command: next(), description: next() }, next()),
        call('b', 'write_file', { file_path: `${name()}.md`, content: next() }, next()),
        call('c', 'replace', { file_path: 'a.md', old_string: next(), new_string: next() }, '', 'cancelled'),
        call('d', 'mystery', { text: next() }, next()),
      ],
    },
    { id: `${from}3`, timestamp: at(3), type: 'info', content: next() },
    { id: `${from}4`, timestamp: at(4), type: 'gemini', content: `Done ${next()}` },
  ]
  const head = { sessionId: `g${n}`, projectHash: 'ab', startTime: at(0), lastUpdated: at(9), kind: 'main' }
  return [
    {
      path: `gemini/${name()}/session-${n}.json`,
      content: JSON.stringify({ ...head, messages: messages(`o${n}-`) }),
    },
    {
      path: `gemini/chats/session-new-${n}.jsonl`,
      content: lines([
        { ...head, sessionId: `h${n}`, directories: [`/srv/${name()}`] },
        ...messages(`h${n}-`),
        { $set: { summary: next() } },
      ]),
    },
  ]
}

export const generic: Plant = (next, n, name) => [
  {
    path: `generic/${name()}-${n}.jsonl`,
    content: lines(
      [
        {
          id: next(),
          session: `n${n} ${next()}`,
          role: 'user',
          name: next(),
          text: `please ${next()}`,
          goal: next(),
          project: next(),
        },
        {
          session: `n${n}`,
          role: 'tool',
          name: next(),
          text: next(),
          images: [{ data: PIXEL, mediaType: 'image/png', alt: next() }],
        },
        { session: `n${n}`, role: 'assistant', text: `Done ${next()}` },
        { session: `n${n}`, role: 'nobody', text: next() },
      ],
      n % 2 ? escaped : JSON.stringify,
    ),
  },
]

/** A format that Fovea reads joins the check by a line here. */
export const FORMATS: Record<string, Plant> = {
  'Claude Code': claude,
  Codex: codex,
  'Copilot CLI': copilot,
  'Gemini CLI': gemini,
  SpecStory: specstory,
  Markdown: markdown,
  Aider: aider,
  'Cline and Roo': cline,
  exports: exported,
  Cursor: cursor,
  opencode,
  'generic JSONL': generic,
}

/**
 * Plants every text in the format at least once, and each field of it with many of them.
 * @param offset where in the list to begin, so that another format puts other texts in its first field
 */
export function plant(make: Plant, texts: readonly string[], offset: number, rounds = 1): Planted[] {
  const files: Planted[] = []
  let taken = 0
  let names = 0
  const next = (): string => texts[(offset + taken++) % texts.length] ?? ''
  const fit = texts.filter((text) => text.length < 120 && !/[/\\:*?"<>|\n]/.test(text))
  const name = (): string => fit[(offset + names++) % fit.length] ?? ''
  for (let n = 0; taken < texts.length * rounds; n++) {
    files.push(...make(next, n, name))
    // The number of fields may divide that of the texts: one more, and every field meets every text in time.
    if (texts.length % Math.max(1, taken) === 0) taken++
  }
  return files
}
