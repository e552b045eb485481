import { AppError } from '../../shared/errors'
import { planeSql, type ReadDb, type WriteDb } from '../store'
import { PlanePolicy } from './plane-policy'
import { planeProblems, shippedPlanes } from './planes'

export interface NamedPlane {
  policy: PlanePolicy
  /** Whether it came with Fovea; a person's plane of the same name stands in its place. */
  shipped: boolean
}

/** All planes by name: the shipped ones, a person's in place of those of the same name, then the person's others. */
export function listPlanes(db: ReadDb): NamedPlane[] {
  const own = new Map<string, NamedPlane>()
  for (const { name, body } of planeSql.planes(db)) {
    const policy = read(body)
    if (policy) own.set(name, { policy, shipped: false })
  }
  const known = shippedPlanes.map((policy) => own.get(policy.name) ?? { policy, shipped: true })
  const others = [...own.values()].filter(
    ({ policy }) => !known.some((one) => one.policy.name === policy.name),
  )
  return [...known, ...others]
}

/** @throws AppError `bad-input` when there is no such plane, naming those there are, or when its text is damaged. */
export function planeNamed(db: ReadDb, name: string): PlanePolicy {
  const body = planeSql.planeBody(db, name)
  if (body !== undefined) {
    const policy = read(body)
    if (policy) return policy
    throw new AppError('bad-input', `The plane "${name}" can no longer be read. Save it again in Settings.`)
  }
  const plane = shippedPlanes.find((candidate) => candidate.name === name)
  if (plane) return plane
  const names = listPlanes(db)
    .map(({ policy }) => policy.name)
    .join(', ')
  throw new AppError('bad-input', `There is no plane "${name.slice(0, 60)}". Known planes: ${names}.`)
}

/** Checks and keeps a person's plane. @throws AppError `bad-input` naming each wrong field */
export function savePlane(db: WriteDb, input: unknown, now: number): PlanePolicy {
  const parsed = PlanePolicy.safeParse(input)
  if (!parsed.success) throw new AppError('bad-input', `This is no plane yet. ${planeProblems(parsed.error)}`)
  planeSql.putPlane(db, parsed.data.name, JSON.stringify(parsed.data), now)
  return parsed.data
}

/** Forgets a person's plane; a shipped one of that name is back. @throws AppError `not-found` */
export function removePlane(db: WriteDb, name: string): void {
  if (planeSql.removePlane(db, name)) return
  const shipped = shippedPlanes.some((plane) => plane.name === name)
  throw new AppError(
    shipped ? 'bad-input' : 'not-found',
    shipped ? `The plane "${name}" came with Fovea and stays.` : `There is no plane "${name.slice(0, 60)}".`,
  )
}

function read(body: string): PlanePolicy | null {
  try {
    const parsed = PlanePolicy.safeParse(JSON.parse(body))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
