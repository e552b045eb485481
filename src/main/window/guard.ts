import { app, type IpcMainInvokeEvent, type Session, type WebContents } from 'electron'
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

/** Whether a message comes from the main frame of our window, showing our own page. */
export function isTrustedSender(
  event: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  window: WebContents | undefined,
  origins: readonly string[],
): boolean {
  const frame = event.senderFrame
  if (!frame || !window || event.sender !== window || frame !== window.mainFrame) return false
  try {
    return origins.includes(new URL(frame.url).origin) || origins.includes(originOfApp(frame.url))
  } catch {
    return false
  }
}

/** `URL` gives the origin of a scheme it does not know as "null". */
function originOfApp(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
