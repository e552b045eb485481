import { app, type Session } from 'electron'
import { APP_ORIGIN } from './protocol'

/** The origins a renderer may have: the app's own, and the dev server's while developing. */
export function trustedOrigins(devServer: string | undefined): readonly string[] {
  return devServer ? [APP_ORIGIN, new URL(devServer).origin] : [APP_ORIGIN]
}

/** Denies everything a page can ask for; Fovea's needs none of it. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.setSpellCheckerEnabled(false)
}

/** Cancels every request that does not stay inside the app, so that nothing leaves the machine by way of a page. */
export function denyNetwork(session: Session, origins: readonly string[]): void {
  const local = new Set(['app:', 'data:', 'blob:', 'devtools:', 'chrome-extension:'])
  const sockets = origins.map((origin) => origin.replace(/^http/, 'ws'))
  session.webRequest.onBeforeRequest((details, answer) => {
    const url = new URL(details.url)
    answer({
      cancel: !(local.has(url.protocol) || origins.includes(url.origin) || sockets.includes(url.origin)),
    })
  })
}

/** No navigation, no new windows, no webviews, in any contents this process ever makes. */
export function denyNavigation(origins: readonly string[]): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      if (!origins.includes(new URL(event.url).origin)) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}
