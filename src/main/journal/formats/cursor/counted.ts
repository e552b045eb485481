import type { Handle } from '../../../../shared/domain'
import { handleOf, sha256 } from '../../handles'
import { isObject } from '../../text'

const MAX_PROMPTS = 2_000

/**
 * Identity of what has no id and no time: what was said, in the turn it was said in, and which of several equal ones it
 * is there. What is damaged or left out elsewhere in the file changes none of it.
 */
export class Counted {
  private readonly prompts: Map<string, number>
  private turn: string
  private said: Map<string, number>

  constructor(
    private readonly agent: string,
    saved: unknown,
  ) {
    const it = isObject(saved) ? saved : {}
    this.prompts = new Map(Array.isArray(it.prompts) ? (it.prompts as [string, number][]) : [])
    this.said = new Map(Array.isArray(it.said) ? (it.said as [string, number][]) : [])
    this.turn = typeof it.turn === 'string' ? it.turn : ''
  }

  state(): unknown {
    return { prompts: [...this.prompts], said: [...this.said], turn: this.turn }
  }

  /** A turn begins with these words. */
  prompt(session: string, text: string): Handle {
    const key = sha256(text).slice(0, 16)
    const n = this.prompts.get(key) ?? 0
    this.prompts.set(key, n + 1)
    for (const [oldest] of this.prompts) {
      if (this.prompts.size <= MAX_PROMPTS) break
      this.prompts.delete(oldest)
    }
    this.turn = `${key}-${n}`
    this.said = new Map()
    return handleOf(this.agent, session, 'prompt', key, n)
  }

  /** Something within the turn. */
  next(session: string, ...content: readonly string[]): Handle {
    const key = sha256(content.join('\0')).slice(0, 16)
    const n = this.said.get(key) ?? 0
    this.said.set(key, n + 1)
    return handleOf(this.agent, session, this.turn, key, n)
  }
}
