/**
 * A plane as it is, or saved under another name with some of its weights at nothing.
 * @param without comma-separated names: terms of `weights`, ways of `links`, `excerpt`, `fit`, `focus` or `most`, or `walk` for
 *   all of the links
 * @param given comma-separated weights, such as `cell=0.2`
 * @returns the plane's name to ask with
 */
export async function ablatedPlane(engine, name, without, given) {
  if (!without && !given) return name
  const { planes } = await engine.call('planes.list', {})
  const policy = planes.find((plane) => plane.name === name)?.policy
  if (!policy) throw new Error(`There is no plane ${name}.`)
  const off = without ? without.split(',').map((term) => [term, 0]) : []
  const set = given ? given.split(',').map((one) => one.split('=')) : []
  for (const [term, value] of [...off, ...set]) {
    const weights = [policy.weights, policy.field, policy.walk.links].find((one) => term in one)
    if (term === 'walk') policy.walk.hops = 0
    else if (term === 'most' || term === 'focus') policy[term] = value === 0 ? 1 : Number(value)
    else if (['excerpt', 'fit', 'depth', 'seeds'].includes(term)) policy[term] = Number(value)
    else if (['hops', 'width'].includes(term)) policy.walk[term] = Number(value)
    else if (weights) weights[term] = Number(value)
    else throw new Error(`The plane has no term ${term}.`)
  }
  const ablated = `${name}-without`.slice(0, 32)
  await engine.call('planes.save', { policy: { ...policy, name: ablated } })
  return ablated
}
