import { z } from 'zod'
import type { BidSource } from '../../../shared/attention'
import type { CallInput, CallName, CallOutput } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'
import type { HookSettings } from '../../../shared/hooks'
import { stripInjected } from '../../journal'

// What Claude Code is answered when a prompt is submitted, and when its window was emptied: the context of that turn.

const common = {
  session_id: z.string().trim().min(1).max(300),
  cwd: z.string().min(1).max(4096).optional().catch(undefined),
}
const Payload = z.discriminatedUnion('hook_event_name', [
  z.object({ ...common, hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
  z.object({ ...common, hook_event_name: z.literal('SessionStart'), source: z.string() }),
])
type Payload = z.infer<typeof Payload>

export interface HookAnswer {
  event: Payload['hook_event_name']
  /** Why there is nothing, or `told`. */
  outcome: 'told' | 'not-asked' | 'no-phrase' | 'unknown-session' | 'nothing-near' | 'too-long'
  /** For the agent; empty where there is nothing to tell. */
  output: string
}

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** What an agent shows of a hook's answer at most; of a longer one it shows a preview. */
const MOST_CHARS = 10_000
/** So much of a prompt's two ends says what is asked. */
const HEAD = 6_000
const TAIL = 2_000
/** `/review the plan`: an order to the agent's own program, before it is put into words. */
const OWN_COMMAND = /^\/[\w:-]+(?:\s|$)/

/** The agent waits: on a busy machine recall by words in time is worth more than recall by meaning too late. */
const PATIENCE_MS = 2_000

/** These stand in every turn; alone they are not worth a word. */
const ALWAYS: ReadonlySet<BidSource> = new Set(['safety', 'identity', 'situation', 'telemetry'])

/** @throws AppError `bad-input` for a payload that is none; whatever a call throws */
export async function memoryHook(payload: string, call: Call): Promise<HookAnswer> {
  const given = parsed(payload)
  const event = given.hook_event_name
  const nothing = (outcome: HookAnswer['outcome']): HookAnswer => ({ event, outcome, output: '' })
  const asked = askedIn(given)
  if (asked === null) return nothing('not-asked')
  const { hooks } = await call('settings.get', {})
  if (!mayTell(hooks, asked.goal)) return nothing('no-phrase')
  const turn = await turnOf(call, given, { ...asked, budget: hooks.budget })
  if (!turn) return nothing('unknown-session')
  if (!(await tellsMore(call, turn))) return nothing('nothing-near')
  if (turn.frame.length > MOST_CHARS) return nothing('too-long')
  const output = JSON.stringify({
    hookSpecificOutput: { hookEventName: event, additionalContext: turn.frame },
  })
  return { event, outcome: 'told', output }
}

function parsed(text: string): Payload {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new AppError('bad-input', 'The hook was given no JSON.')
  }
  const payload = Payload.safeParse(json)
  if (payload.success) return payload.data
  const where = payload.error.issues[0]?.path.join('.') || 'hook_event_name'
  throw new AppError('bad-input', `The hook was given a payload without a usable ${where}.`)
}

type Asked = Pick<CallInput<'turn.run'>, 'goal' | 'inWindow' | 'given'>

/** What the turn is for; null where nothing is asked. */
function askedIn(given: Payload): Asked | null {
  if (given.hook_event_name === 'SessionStart')
    return given.source === 'compact' ? { inWindow: false, given: 'anew' } : null
  const prompt = stripInjected(given.prompt).trim()
  // One word says yes, or go on: the window already holds what that is about.
  if (OWN_COMMAND.test(prompt) || !/\S\s+\S/.test(prompt)) return null
  const goal = prompt.length > HEAD + TAIL ? `${prompt.slice(0, HEAD)}\n…\n${prompt.slice(-TAIL)}` : prompt
  return { goal, inWindow: true, given: 'prompt' }
}

/** With phrases, only what holds one of them is given memory. */
function mayTell({ phrases }: HookSettings, goal = ''): boolean {
  const lower = goal.toLowerCase()
  return phrases.length === 0 || phrases.some((phrase) => lower.includes(phrase.toLowerCase()))
}

async function turnOf(
  call: Call,
  { session_id: session, cwd }: Payload,
  asked: Asked & { budget: number },
): Promise<CallOutput<'turn.run'> | null> {
  try {
    return await call('turn.run', {
      ...asked,
      session,
      ...(cwd === undefined ? {} : { folder: cwd }),
      onlyNear: true,
      patience: PATIENCE_MS,
      viewer: 'claude-code hook',
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'not-found') return null
    throw error
  }
}

async function tellsMore(call: Call, { trace }: CallOutput<'turn.run'>): Promise<boolean> {
  const { rows } = (await call('traces.get', { id: trace })).trace
  return rows.some(({ place, source }) => place !== null && !ALWAYS.has(source))
}
