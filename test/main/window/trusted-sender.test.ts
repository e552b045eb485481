import type { WebContents, WebFrameMain } from 'electron'
import { describe, expect, test } from 'vitest'
import { isTrustedSender } from '../../../src/main/window/trusted-sender'

const frame = (url: string) => ({ url }) as WebFrameMain
const contents = (mainFrame: WebFrameMain) => ({ mainFrame }) as WebContents
const origins = ['app://fovea']

describe('the sender of a message', () => {
  test('is trusted as the main frame of the window on the app’s own page', () => {
    const main = frame('app://fovea/index.html')
    const window = contents(main)
    expect(isTrustedSender({ sender: window, senderFrame: main }, window, origins)).toBe(true)
  })

  test('is refused as a frame inside the page, even one of the same origin', () => {
    const window = contents(frame('app://fovea/'))
    expect(isTrustedSender({ sender: window, senderFrame: frame('app://fovea/') }, window, origins)).toBe(
      false,
    )
  })

  test('is refused as another window', () => {
    const main = frame('app://fovea/')
    expect(isTrustedSender({ sender: contents(main), senderFrame: main }, contents(main), origins)).toBe(
      false,
    )
  })

  test.each([
    'https://evil.example/',
    'file:///etc/passwd',
    'app://other/',
    'about:blank',
    'data:text/html,x',
    '',
  ])('is refused on the page %j', (url) => {
    const main = frame(url)
    const window = contents(main)
    expect(isTrustedSender({ sender: window, senderFrame: main }, window, origins)).toBe(false)
  })

  test('is refused when its frame or the window is gone', () => {
    const main = frame('app://fovea/')
    const window = contents(main)
    expect(isTrustedSender({ sender: window, senderFrame: null }, window, origins)).toBe(false)
    expect(isTrustedSender({ sender: window, senderFrame: main }, undefined, origins)).toBe(false)
  })
})
