import { BrowserWindow, nativeTheme } from 'electron'
import { APP_ORIGIN } from './protocol'

/** The one window. Sandboxed, isolated, without Node; shown when it has something to show. */
export function createWindow(options: { preload: string; devServer: string | undefined }): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 900,
    minHeight: 600,
    show: false,
    title: 'Fovea',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#141416' : '#f6f5f2',
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      devTools: Boolean(options.devServer),
    },
  })
  window.once('ready-to-show', () => window.show())
  void window.loadURL(options.devServer ?? `${APP_ORIGIN}/`)
  return window
}
