import type { IpcMainInvokeEvent, WebContents } from 'electron'

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
