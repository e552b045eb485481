/**
 * A plane as it is, or saved under another name with some of its weights at nothing.
 * @param without comma-separated names: terms of `weights`, ways of `links`,
 *   `excerpt` or `fit`, or `walk` for all of the links
 * @returns the plane's name to ask with
 */
export async function ablatedPlane(engine, name, without) {
  if (!without) return name
  const { planes } = await engine.call('planes.list', {})
  const policy = planes.find((plane) => plane.name === name)?.policy
  if (!policy) throw new Error(`There is no plane ${name}.`)
  const off = without.split(',')
  for (const term of off) {
    if (term === 'walk') policy.walk.hops = 0
    else if (term in policy.weights) policy.weights[term] = 0
    else if (term === 'excerpt' || term === 'fit') policy[term] = 0
    else if (term in policy.field) policy.field[term] = 0
    else if (term in policy.walk.links) policy.walk.links[term] = 0
    else throw new Error(`The plane has no term ${term}.`)
  }
  const ablated = `${name}-without`.slice(0, 32)
  await engine.call('planes.save', { policy: { ...policy, name: ablated } })
  return ablated
}
