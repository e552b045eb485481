import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Places {
  /** The data folder: the database, logs, thumbnails. The only place Fovea writes to unasked. */
  home: string
  db: string
  /** The browser part's own profile, kept inside the data folder so that one removal removes all. */
  profile: string
  log: string
  /** The person's own folder for settings, whichever data folder is used: FOVEA_CONFIG, else the platform's. */
  config: string
}

/**
 * The data folder: `--home`, else FOVEA_HOME, else the platform's folder for application data
 * (`~/.local/share/fovea`, `~/Library/Application Support/Fovea`, `%APPDATA%\Fovea`).
 */
export function placesFor(
  home: string | undefined,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): Places {
  const folder = resolve(home ?? (env.FOVEA_HOME || platformFolder(env, platform)))
  return {
    home: folder,
    db: join(folder, 'fovea.db'),
    profile: join(folder, 'profile'),
    log: join(folder, 'logs', 'fovea.log'),
    config: resolve(env.FOVEA_CONFIG || configFolder(env, platform)),
  }
}

function platformFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Fovea')
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Fovea')
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'fovea')
}

/** Not inside the default data folder on any platform: it stays when that is removed and Fovea set up again. */
function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Preferences', 'Fovea')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Fovea')
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'fovea')
}
