import { join } from 'node:path'
import { app, type BrowserWindow, dialog, ipcMain, Menu, session, shell } from 'electron'
import { eventChannel } from '../shared/channels'
import { AppError } from '../shared/errors'
import { createEngine, type Engine } from './engine'
import type { HostHandlers } from './engine/host-calls'
import { placesFor } from './home'
import { errorFields, fileLog } from './log'
import { makeFolder } from './store'
import { registerIpc } from './surfaces'
import { denyNavigation, denyNetwork, denyPermissions, trustedOrigins } from './window/guard'
import { createWindow } from './window/main-window'
import { applicationMenu } from './window/menu'
import { watchPower } from './window/power'
import { declareScheme, serveRenderer } from './window/protocol'
import { isTrustedSender } from './window/trusted-sender'

// The desktop app: one window over one engine.

const devServer = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL
const origins = trustedOrigins(devServer)
const places = placesFor(undefined, process.env)
const log = fileLog(places.log)
const root = join(import.meta.dirname, '..', '..')

declareScheme()
// Chromium will not start its sandbox as root; forcing it there would only crash every child process.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()
// Refused before anything else asks for it: without it Chromium would keep its own things where they were never allowed.
try {
  makeFolder(places.profile)
} catch {
  refuseToStart(
    new AppError(
      'forbidden',
      `The data folder ${places.home} cannot be made or written. Allow it to your user (chmod u+rwx), or give another with FOVEA_HOME.`,
    ),
  )
}
// Inside the data folder: the single-instance lock is then one for each data folder, and one removal removes all.
app.setPath('userData', places.profile)
// No call home for a spelling dictionary, a component update or a field trial.
app.commandLine.appendSwitch('disable-background-networking')
app.commandLine.appendSwitch('disable-component-update')

let window: BrowserWindow | undefined
let engine: Engine | undefined

const host: HostHandlers = {
  'app.openExternal': async ({ url }) => {
    if (!/^https?:$/.test(new URL(url).protocol)) {
      throw new AppError('forbidden', 'Only web addresses (http, https) are opened.')
    }
    await shell.openExternal(url)
    return {}
  },
  'app.pickFolder': async () => {
    const options = { properties: ['openDirectory' as const, 'showHiddenFiles' as const] }
    const chosen = window
      ? await dialog.showOpenDialog(window, options)
      : await dialog.showOpenDialog(options)
    return { path: chosen.canceled ? null : (chosen.filePaths[0] ?? null) }
  },
  'app.pickSave': async ({ name }) => {
    const options = { defaultPath: name }
    const chosen = window
      ? await dialog.showSaveDialog(window, options)
      : await dialog.showSaveDialog(options)
    return { path: chosen.canceled ? null : (chosen.filePath ?? null) }
  },
}

function open(): void {
  denyPermissions(session.defaultSession)
  denyNetwork(session.defaultSession, origins)
  serveRenderer(session.defaultSession, join(import.meta.dirname, '..', 'renderer'))
  Menu.setApplicationMenu(applicationMenu())
  const started = createEngine({
    resources: join(root, 'resources'),
    watch: true,
    version: app.getVersion(),
    host,
    power: watchPower(),
    log,
  })
  engine = started
  registerIpc(ipcMain, started, {
    isTrusted: (event) => isTrustedSender(event, window?.webContents, origins),
    onThrown: (error, name) => log('call-failed', { name, ...errorFields(error) }),
  })
  started.on((event, payload) => {
    if (window && !window.isDestroyed()) window.webContents.send(eventChannel(event), payload)
  })
  show()
}

function show(): void {
  window = createWindow({ preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'), devServer })
  window.on('closed', () => {
    window = undefined
  })
}

/** What cannot be opened is said in a box with one sentence; there is no window to say it in. */
function refuseToStart(error: unknown): void {
  log('start-failed', errorFields(error))
  const reason =
    error instanceof AppError
      ? error.message
      : 'Fovea could not start. The log in the data folder says where.'
  if (process.env.FOVEA_NO_DIALOG) process.stderr.write(`${reason}\n`)
  else dialog.showErrorBox('Fovea cannot start', `${reason}\n\nData folder: ${places.home}`)
  app.exit(1)
}

denyNavigation(origins)
if (!app.requestSingleInstanceLock()) {
  process.stderr.write('Fovea is already open for this data folder; its window was brought to the front.\n')
  app.exit(0)
} else {
  app.on('second-instance', () => {
    if (!window) return
    if (window.isMinimized()) window.restore()
    window.focus()
  })
  app.on('activate', () => {
    if (!window && engine) show()
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  let closing = false
  app.on('will-quit', (event) => {
    if (!engine || closing) return
    closing = true
    event.preventDefault()
    void engine.close().finally(() => app.exit(0))
  })
  app.whenReady().then(open).catch(refuseToStart)
}
