// Cline's and Roo's models call tools by tags in their prose: <execute_command><command>npm test</command></…>.

export type Segment =
  | { kind: 'prose'; text: string }
  | { kind: 'call'; name: string; input: Record<string, string> }

const TOOLS =
  `execute_command read_file write_to_file replace_in_file apply_diff insert_content search_and_replace
  search_files list_files list_code_definition_names browser_action use_mcp_tool access_mcp_resource
  ask_followup_question attempt_completion plan_mode_respond new_task switch_mode update_todo_list fetch_instructions
  codebase_search load_mcp_documentation web_fetch condense`.split(/\s+/)
const OPEN = new RegExp(`^[ \\t]*<(${TOOLS.join('|')}|thinking)>`, 'gm')

/** Takes an answer apart. Thoughts are left out; a tag that never closes reaches to the end. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = []
  let at = 0
  OPEN.lastIndex = 0
  for (let match = OPEN.exec(text); match; match = OPEN.exec(text)) {
    const name = match[1] ?? ''
    const from = match.index + match[0].length
    // A file's content may hold the tag as well: its own end is the last one before the next call, or the first one.
    const end = text.indexOf(`</${name}>`, from)
    prose(segments, text.slice(at, match.index))
    const inner = text.slice(from, end === -1 ? undefined : end)
    if (name !== 'thinking') segments.push({ kind: 'call', name, input: fieldsOf(inner) })
    at = end === -1 ? text.length : end + name.length + 3
    OPEN.lastIndex = at
  }
  prose(segments, text.slice(at))
  return segments
}

function prose(segments: Segment[], text: string): void {
  const said = text.replace(/^\s*<\/?(?:function_calls|thinking)>\s*$/gm, '').trim()
  if (said !== '') segments.push({ kind: 'prose', text: said })
}

const FIELD = /<([a-z_]{1,40})>/g

/** Fields that may hold anything, their own closing tag too: they reach to the last one. */
const OPAQUE = new Set(['content', 'diff', 'result', 'response', 'command', 'arguments', 'args'])

/** `<path>a.ts</path><content>…</content>` */
function fieldsOf(inner: string): Record<string, string> {
  const fields: Record<string, string> = {}
  FIELD.lastIndex = 0
  for (let match = FIELD.exec(inner); match; match = FIELD.exec(inner)) {
    const name = match[1] ?? ''
    const from = match.index + match[0].length
    const close = `</${name}>`
    const end = OPAQUE.has(name) ? inner.lastIndexOf(close) : inner.indexOf(close, from)
    fields[name] = inner.slice(from, end < from ? undefined : end).trim()
    FIELD.lastIndex = end < from ? inner.length : end
  }
  return fields
}

/** The text inside the first `<name>…</name>`; null when there is none. */
export function inside(text: string, name: string): string | null {
  const from = text.indexOf(`<${name}>`)
  if (from === -1) return null
  const end = text.indexOf(`</${name}>`, from)
  return text.slice(from + name.length + 2, end === -1 ? undefined : end).trim()
}
