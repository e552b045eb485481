// npm test [-- stage …]: sets up what is missing, then runs the stages; one that fails stops no other.
import { secondsSince } from './lib/say.mjs'
import { runMain, StepError } from './lib/step-error.mjs'
import { setUp } from './setup/index.mjs'
import { check, stages } from './test/stages.mjs'

await runMain(async () => {
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !Object.hasOwn(stages, name))
  if (unknown.length > 0) {
    throw new StepError('test', `there is no stage called ${unknown.join(', ')}.`, {
      todo: `One or more of: ${Object.keys(stages).join(', ')}.`,
    })
  }
  const names = wanted.length > 0 ? withBuild(wanted) : Object.keys(stages)
  const setup = await runStage('setup', prepare)
  return report(setup.failed > 0 ? [setup] : [setup, ...(await runStages(names))])
})

/** The build is a stage of its own: when it fails, types, lint and unit tests still tell what they know. */
function prepare() {
  return check(() => setUp({ build: false }))
}

/** The app and the command line are driven as built. */
function withBuild(names) {
  const needsBuild = names.includes('e2e') || names.includes('unit')
  return Object.keys(stages).filter((name) => names.includes(name) || (name === 'build' && needsBuild))
}

async function runStages(names) {
  // Ctrl-C ends the stage under way; the others are not started any more.
  let isInterrupted = false
  process.once('SIGINT', () => {
    isInterrupted = true
  })
  const results = []
  for (const name of names) {
    if (!isInterrupted) results.push(await runStage(name, stages[name]))
  }
  return results
}

async function runStage(name, stage) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const counts = await stage()
  return { name, ...counts, took: secondsSince(started) }
}

/** The last line is for machines: it counts stages of one check and tests alike. */
function report(results) {
  console.log('')
  for (const { name, passed, failed, skipped, took } of results) {
    const skips = skipped > 0 ? `, ${skipped} skipped` : ''
    console.log(
      `${failed > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(7)} ${passed} passed, ${failed} failed${skips} (${took})`,
    )
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') > 0 ? 1 : 0
}
