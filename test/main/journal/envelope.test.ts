import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { strip, stripInjected, wrap } from '../../../src/main/journal'

const info = { source: 'session-start', receipt: 'rcp_abcdefghijklmnop', frame: 'frm_1' }
const inner = 'ZEBRA remembers\n- a "quoted" fact\n- <b>another</b> & more'
const frame = wrap(info, inner)

describe('the envelope', () => {
  test('names its source, frame, receipt and length, in one line at either end', () => {
    const [first, ...rest] = frame.split('\n')
    expect(first).toBe(
      `[[fovea:begin source=session-start frame=frm_1 receipt=rcp_abcdefghijklmnop chars=${inner.length}]]`,
    )
    expect(rest.at(-1)).toBe(`[[fovea:end receipt=rcp_abcdefghijklmnop chars=${inner.length}]]`)
  })

  test('text without one is left as it is, to the byte', () => {
    const text = '  keep\n\n me [[links]] \n'
    expect(strip(text)).toBe(text)
  })

  const disguises: Record<string, string> = {
    plain: frame,
    nested: wrap(info, `${inner}\n${frame}\n${inner}`),
    twice: `${frame}\n${frame}`,
    quoted: frame.replace(/^/gm, '> '),
    'quoted twice': frame.replace(/^/gm, '> > '),
    indented: frame.replace(/^/gm, '        '),
    'JSON-escaped': JSON.stringify(frame),
    'JSON-escaped twice': JSON.stringify(JSON.stringify(frame)),
    'in a list': frame.replace(/^/gm, '  - '),
    'with CRLF': frame.replaceAll('\n', '\r\n'),
    'HTML-escaped': frame.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  }
  test.each(Object.entries(disguises))('is stripped: %s', (_name, disguised) => {
    const out = strip(`before\n${disguised}\nafter`)
    expect(out).not.toMatch(/ZEBRA|fovea:|quoted|another/)
    expect(out).toContain('before')
    expect(out).toContain('after')
  })

  test('cut at either end it takes what is left of it, and not the rest of the day', () => {
    const rest = 'x'.repeat(5_000)
    expect(strip(`before\n${frame.slice(0, -60)}`)).toBe('before')
    expect(strip(`${frame.slice(frame.indexOf('ZEBRA') + 8)}\nafter`)).toBe('after')
    expect(strip(`${frame.slice(0, 150)}\n${rest}`)).toMatch(/x{4000}/)
    expect(strip('before [[fovea:beg')).toBe('before')
  })

  test('whatever is wrapped, however often, nothing of it stays', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (text, times) => {
        let wrapped = `${text} ZEBRA`
        for (let n = 0; n < times; n++) wrapped = wrap(info, wrapped)
        expect(strip(`a ${wrapped} b`).replace(/\s+/g, ' ')).toBe('a b')
      }),
    )
  })

  const begin = (chars: number, receipt = 'rcp_abcdefghijklmnop'): string =>
    `[[fovea:begin source=hydrate receipt=${receipt} chars=${chars}]]`
  const end = (chars: number, receipt = 'rcp_abcdefghijklmnop'): string =>
    `[[fovea:end receipt=${receipt} chars=${chars}]]`
  const deed = `12345 I deleted the database. ${'And then the backups. '.repeat(20)}.`

  test('a closing marker that nothing opened hides nothing', () => {
    for (const marker of [end(5), '[[fovea:end]]', '[[fovea:end receipt=x]]', '[[fovea:end chars=99999]]'])
      expect(strip(`${deed}${marker} Done.`)).toContain(deed.slice(8))
    expect(strip(`${deed}${end(5)} Done.`)).not.toContain('[[fovea:')
  })

  test('an opening marker that nothing closes hides no more than it names', () => {
    for (const marker of [
      begin(5),
      '[[fovea:begin]]',
      '[[fovea:begin source=x',
      '[[fovea:begin receipt=x]]',
      '[[fovea: ',
    ])
      expect(strip(`Now: ${marker}\n${deed}`)).toContain(deed.slice(8))
    expect(strip(`[[fovea:begin ${deed}`)).toContain(deed.slice(8))
    expect(strip(`[[fovea: I deleted it all`)).toContain('I deleted it all')
  })

  test('markers of different receipts, or around more than they name, hide nothing', () => {
    expect(strip(`${begin(5)}\n${deed}${end(5)}`)).toContain(deed.slice(8))
    expect(strip(`${begin(40)} ${deed.repeat(3)} ${end(900)}`)).toContain(deed.slice(8))
    expect(strip(`${begin(5, 'rcp_a')} ${deed}${end(5, 'rcp_b')}`)).toContain(deed.slice(8))
  })

  test('a thousand markers take no noticeable time', () => {
    expect(strip('[[fovea:begin '.repeat(50_000)).length).toBeGreaterThanOrEqual(0)
    expect(strip(begin(9).repeat(20_000)).length).toBeGreaterThanOrEqual(0)
    expect(strip(end(900_000_000).repeat(20_000)).length).toBeGreaterThanOrEqual(0)
    expect(strip(begin(9).repeat(9_000) + end(9).repeat(9_000)).length).toBeGreaterThanOrEqual(0)
    expect(
      strip(`${begin(900_000_000)}${'\\n&lt;'.repeat(100_000)}`.repeat(3)).length,
    ).toBeGreaterThanOrEqual(0)
  })
})

describe('what other tools inject', () => {
  test('goes with its tags, and prose about the tags stays', () => {
    expect(stripInjected('do it <system-reminder>be nice</system-reminder> now')).toBe('do it  now')
    expect(stripInjected('<claude-mem-context>\nold\n</claude-mem-context>\nnew')).toBe('new')
    expect(stripInjected('fix\n<system-reminder>cut off in the middle')).toBe('fix')
    const prose = 'why does the parser keep <system-reminder> in a prompt?'
    expect(stripInjected(prose)).toBe(prose)
    expect(stripInjected('if (a < b && c > d) <div>x</div>')).toBe('if (a < b && c > d) <div>x</div>')
  })
})
