import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { net, protocol, type Session } from 'electron'

/** Where the renderer lives. A scheme of our own instead of file:// keeps it from reading the disk. */
export const APP_ORIGIN = 'app://fovea'

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Must run before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/** Serves files whose real path lies under `root`, with the content security policy on every answer. */
export function serveRenderer(session: Session, root: string): void {
  session.protocol.handle('app', async (request) => {
    const url = new URL(request.url)
    if (url.host !== 'fovea' || request.method !== 'GET') return refuse(403)
    const file = await resolveUnder(root, decodeURIComponent(url.pathname))
    if (!file) return refuse(404)
    const answer = await net.fetch(pathToFileURL(file).toString())
    const headers = new Headers(answer.headers)
    headers.set('Content-Security-Policy', CSP)
    headers.set('X-Content-Type-Options', 'nosniff')
    return new Response(answer.body, { status: answer.status, headers })
  })
}

async function resolveUnder(root: string, path: string): Promise<string | undefined> {
  const wanted = join(root, path === '/' ? 'index.html' : path)
  try {
    const [base, real] = await Promise.all([realpath(root), realpath(wanted)])
    return real.startsWith(base + sep) ? real : undefined
  } catch {
    return undefined
  }
}

const refuse = (status: number): Response =>
  new Response(null, { status, headers: { 'Content-Security-Policy': CSP } })
