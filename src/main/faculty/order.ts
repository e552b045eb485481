/** What stands together, and how salient its most salient part is. */
interface Unit<T> {
  salience: number
  name: string
  members: T[]
}

export interface Placeable {
  id: string
  salience: number
  /** Stands before everything else, in this order. */
  anchor: number | null
  group: string | null
  /** Within a group, and between what is equally salient. */
  slot: number
  order: number
}

/**
 * The most salient at both edges, the least in the middle: models read the ends of a long context best (Liu et al.,
 * “Lost in the middle”, 2023). Groups move as one and keep their own order.
 */
export function edgesFirst<T extends Placeable>(kept: readonly T[]): T[] {
  const anchored = kept.filter(({ anchor }) => anchor !== null)
  anchored.sort((a, b) => (a.anchor ?? 0) - (b.anchor ?? 0) || bySlot(a, b))
  const units = unitsOf(kept.filter(({ anchor }) => anchor === null))
  units.sort((a, b) => b.salience - a.salience || (a.name < b.name ? -1 : 1))
  const front: Unit<T>[] = []
  const back: Unit<T>[] = []
  for (const [rank, unit] of units.entries()) (rank % 2 === 0 ? front : back).push(unit)
  return [...anchored, ...[...front, ...back.reverse()].flatMap(({ members }) => members.sort(bySlot))]
}

/** The order of the catalogue. */
export const inSlots = <T extends Placeable>(kept: readonly T[]): T[] => [...kept].sort(bySlot)

function bySlot(a: Placeable, b: Placeable): number {
  return a.slot - b.slot || a.order - b.order || (a.id < b.id ? -1 : 1)
}

function unitsOf<T extends Placeable>(list: readonly T[]): Unit<T>[] {
  const units: Unit<T>[] = []
  const groups = new Map<string, Unit<T>>()
  for (const one of list) {
    const group = one.group === null ? undefined : groups.get(one.group)
    if (group) {
      group.members.push(one)
      group.salience = Math.max(group.salience, one.salience)
      if (one.id < group.name) group.name = one.id
      continue
    }
    const unit = { salience: one.salience, name: one.id, members: [one] }
    units.push(unit)
    if (one.group !== null) groups.set(one.group, unit)
  }
  return units
}
