import { _electron } from 'playwright'
import { electronLaunch } from '../../scripts/lib/electron-launch.mjs'

/** The real app over a data folder, in the environment `withDisplay` gives. */
export function launchApp(env, home) {
  const launch = electronLaunch({ env })
  return _electron.launch({
    ...launch,
    args: [...launch.args, '--disable-gpu'],
    env: { ...launch.env, FOVEA_HOME: home },
  })
}
