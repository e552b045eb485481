import { type Json, lines, type Plant } from './planting'

// A corpus in the formats that several kinds of files share: Cursor's transcripts, and opencode's small files.

export const cursor: Plant = (next, n, name) => {
  const id = `0b6d1f52-9a34-4c1e-8f77-${String(n).padStart(12, '0')}`
  const user = (text: string): Json => ({
    role: 'user',
    message: { content: [{ type: 'text', text: `<user_query>\n${text}\n</user_query>` }] },
  })
  const agent = (...content: Json[]): Json => ({ role: 'assistant', message: { content } })
  const text = (words: string): Json => ({ type: 'text', text: words })
  const call = (tool: string, input: Json): Json => ({ type: 'tool_use', name: tool, id: `t_${tool}`, input })
  return [
    {
      path: `cursor/${name()}/agent-transcripts/${id}/${id}.jsonl`,
      content: lines([
        user(`please do ${next()}`),
        agent(text(next()), call('Shell', { command: next(), description: next() })),
        agent(call('StrReplace', { path: `/srv/${name()}`, old_string: next(), new_string: next() })),
        agent(
          call('Write', { path: '/srv/shop/a.ts', contents: next() }),
          call('mystery', { deep: [next()] }),
        ),
        user(next()),
        agent(text(`Done with ${next()}`)),
        { type: 'turn_ended', status: 'error', error: next() },
      ]),
    },
  ]
}

export const opencode: Plant = (next, n, name) => {
  const id = `ses_n${n}`
  const files: { path: string; content: string }[] = []
  const put = (path: string, value: Json): void =>
    void files.push({ path: `opencode-${n}/storage/${path}.json`, content: JSON.stringify(value) })
  const said = (role: string, at: number, more: Json, ...parts: Json[]): void => {
    const message = `msg_n${n}${at}`
    for (const [part, value] of parts.entries())
      put(`part/${message}/prt_n${n}${at}${part}`, {
        id: `prt_n${n}${at}${part}`,
        sessionID: id,
        messageID: message,
        ...value,
      })
    const time = { created: 1_777_888_000_000 + at * 1_000, completed: 1_777_888_000_500 + at * 1_000 }
    put(`message/${id}/${message}`, { id: message, sessionID: id, role, time, ...more })
  }
  const tool = (kind: string, input: Json, output: string): Json => ({
    type: 'tool',
    tool: kind,
    callID: `call_${kind}`,
    state: { status: 'completed', input, output, metadata: { diff: next() }, title: next() },
  })
  said('user', 1, {}, { type: 'text', text: `please do ${next()}` })
  said(
    'assistant',
    2,
    {
      mode: 'build',
      path: { cwd: '/srv/shop', root: '/srv/shop' },
      error: { name: next(), data: { message: next() } },
    },
    { type: 'text', text: next() },
    { type: 'reasoning', text: next() },
    tool('bash', { command: next(), description: next() }, next()),
    tool('edit', { filePath: `/srv/${name()}`, oldString: next(), newString: next() }, next()),
    tool('mystery', { deep: [next()] }, next()),
    { type: 'text', text: `Done with ${next()}` },
  )
  put(`session/prj/${id}`, {
    id,
    projectID: 'prj',
    directory: '/srv/shop',
    title: next(),
    time: { created: 1_777_888_000_000 },
  })
  return files
}
