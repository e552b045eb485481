import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Places {
  /** The data folder: the database, logs, thumbnails. The only place Fovea writes to unasked. */
  home: string
  db: string
  /** The browser part's own profile, kept inside the data folder so that one removal removes all. */
  profile: string
  log: string
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
  }
}

function platformFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Fovea')
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Fovea')
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'fovea')
}
