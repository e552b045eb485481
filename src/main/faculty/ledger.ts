import type { RungCost } from './ladder'

export interface Candidate {
  /** Unique; breaks ties. */
  id: string
  segment: string
  /** Candidates of one group share a heading, paid by the first of them that is taken. */
  group?: string
  /** Rungs from coarse to fine, costs in tokens of the whole line. */
  rungs: readonly RungCost[]
  /** What every value of its rungs is multiplied with; 1 when not given. Many can share rungs that way. */
  weight?: number
}

export interface Budgets {
  total: number
  /** What each segment may spend of the total; a segment not named here may spend nothing of its own. */
  segments: Readonly<Record<string, number>>
  /** Segments that may also take what others left unspent. */
  borrow: readonly string[]
  /** Tokens of a group's heading. */
  groupCost?: (group: string) => number
}

/** One upgrade, in the order it was made; undoing from the end gives the same frame under a smaller budget. */
export interface Upgrade {
  id: string
  /** Index into the candidate's rungs; -1 is absent. */
  from: number
  to: number
}

export interface Allocation {
  /** Index of the rung each present candidate got. */
  chosen: Map<string, number>
  upgrades: Upgrade[]
  spent: number
  bySegment: Record<string, number>
  value: number
}

/** What a segment has. */
interface Purse {
  readonly own: number
  readonly borrows: boolean
  spent: number
}

/** What has been taken so far, and what of each budget is left. */
export class Ledger {
  readonly chosen = new Map<string, number>()
  private readonly upgrades: Upgrade[] = []
  private readonly open = new Set<string>()
  private readonly purses = new Map<string, Purse>()
  private spent = 0
  private value = 0

  constructor(private readonly budgets: Budgets) {
    for (const segment of Object.keys(budgets.segments)) this.purse(segment)
  }

  get left(): number {
    return this.budgets.total - this.spent
  }

  heading(candidate: Candidate): number {
    if (candidate.group === undefined || this.open.has(candidate.group)) return 0
    return this.budgets.groupCost?.(candidate.group) ?? 0
  }

  isOpen(group: string): boolean {
    return this.open.has(group)
  }

  fits({ segment }: Candidate, cost: number, borrowing: boolean): boolean {
    if (this.spent + cost > this.budgets.total) return false
    const { own, borrows, spent } = this.purses.get(segment) ?? this.purse(segment)
    return (borrowing && borrows) || spent + cost <= own
  }

  take(candidate: Candidate, to: number, cost: number, value: number): void {
    const { id, group, segment } = candidate
    this.upgrades.push({ id, from: this.chosen.get(id) ?? -1, to })
    this.chosen.set(id, to)
    if (group !== undefined) this.open.add(group)
    const purse = this.purses.get(segment) ?? this.purse(segment)
    purse.spent += cost
    this.spent += cost
    this.value += value
  }

  result(): Allocation {
    const { chosen, upgrades, spent, value } = this
    const told = [...this.purses].filter(([name, purse]) => purse.spent > 0 || name in this.budgets.segments)
    const bySegment = Object.fromEntries(told.map(([name, purse]) => [name, purse.spent]))
    return { chosen, upgrades, spent, bySegment, value }
  }

  private purse(segment: string): Purse {
    const own = this.budgets.segments[segment] ?? 0
    const purse = { own, borrows: this.budgets.borrow.includes(segment), spent: 0 }
    this.purses.set(segment, purse)
    return purse
  }
}
