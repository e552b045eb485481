// npm start [-- arguments for the app]: sets up what is missing and opens the desktop app.
import { withDisplay } from './lib/display.mjs'
import { electronLaunch } from './lib/electron-launch.mjs'
import { inForeground } from './lib/foreground.mjs'
import { say } from './lib/say.mjs'
import { runMain } from './lib/step-error.mjs'
import { setUp } from './setup/index.mjs'

await runMain(async () => {
  await setUp()
  return withDisplay(process.env, openApp, {
    onVirtual: () =>
      say(
        'start',
        'There is no display here: Fovea runs on a virtual one that nobody sees. The command line works without: npm run fovea -- --help',
      ),
  })
})

/** @param {NodeJS.ProcessEnv} displayEnv */
async function openApp(displayEnv) {
  // On a display nobody sees an error box would wait for ever; the reason goes to the terminal then.
  const unseen = displayEnv.DISPLAY !== process.env.DISPLAY
  const { executablePath, args, env, cwd } = electronLaunch({
    env: unseen ? { ...displayEnv, FOVEA_NO_DIALOG: '1' } : displayEnv,
  })
  say('start', 'opening Fovea; Ctrl-C ends it')
  return inForeground(executablePath, [...args, ...process.argv.slice(2)], { cwd, env })
}
