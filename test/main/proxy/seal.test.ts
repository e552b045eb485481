import { describe, expect, test } from 'vitest'
import { canonicalJson, sealHolds, sealOf } from '../../../src/main/proxy'

describe('the seal', () => {
  test('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'ö' }], a: 0.1 })).toBe(
      '{"a":0.1,"b":[1,{"c":"ö","d":null}]}',
    )
    expect(sealOf({ a: 1, b: 2 }, 's')).toBe(sealOf({ b: 2, a: 1 }, 's'))
  })

  test('is sha256 over salt, line break and canonical JSON', () => {
    // printf 'salt\n{"a":1}' | sha256sum
    expect(sealOf({ a: 1 }, 'salt')).toBe('298a33ae7c3be7be592a6451311504ba7dd829f3091fa578f91783d85c3eafa0')
  })

  test('breaks on any other value and any other salt', () => {
    const seal = sealOf({ p: 0.5 }, 'salt')
    expect(sealHolds({ p: 0.5 }, 'salt', seal)).toBe(true)
    expect(sealHolds({ p: 0.51 }, 'salt', seal)).toBe(false)
    expect(sealHolds({ p: 0.5 }, 'pepper', seal)).toBe(false)
  })
})
