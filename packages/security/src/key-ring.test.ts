import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KeyRing } from './key-ring.ts'

const secret = (fill: number, bytes = 32) => Buffer.alloc(bytes, fill).toString('base64url')

describe('D4 key ring', () => {
  it('D4 signs with the active key and verifies with known and grace keys', () => {
    const ring = KeyRing.parse(
      `k1:grace:${secret(1)}, k2:active:${secret(2)},` +
        `k3:known:${secret(3)}, k0:retired:${secret(4)}`,
    )
    expect(ring.active.id).toBe('k2')
    expect(ring.verifying.map((key) => key.id)).toEqual(['k2', 'k1', 'k3'])
  })

  it.each([
    ['nothing', ''],
    ['no active key', `k1:grace:${secret(1)}`],
    ['two active keys', `k1:active:${secret(1)},k2:active:${secret(2)}`],
    ['unknown state', `k1:live:${secret(1)}`],
    ['short key', `k1:active:${secret(1, 31)}`],
    ['no key', 'k1:active:'],
    ['two parts', `k1:${secret(1)}`],
    ['four parts', `k1:active:${secret(1)}:x`],
    ['repeated id', `k1:active:${secret(1)},k1:grace:${secret(2)}`],
    ['repeated key', `k1:active:${secret(1)},k2:grace:${secret(1)}`],
    ['padded base64', `k1:active:${Buffer.alloc(32, 1).toString('base64')}`],
    ['upper-case id', `K1:active:${secret(1)}`],
    ['line break in the id', `k\n1:active:${secret(1)}`],
    ['empty id', `:active:${secret(1)}`],
    [
      'nine keys',
      Array.from({ length: 9 }, (_, i) => `k${i}:${i ? 'grace' : 'active'}:${secret(i)}`).join(),
    ],
  ])('D4 rejects %s', (_what, text) => {
    expect(() => KeyRing.parse(text)).toThrow(TypeError)
  })

  it('D4 never prints a key', () => {
    const ring = KeyRing.parse(`k1:active:${secret(7)}`)
    const shown = [inspect(ring, { depth: 9 }), JSON.stringify(ring), JSON.stringify(ring.active)]
    for (const text of shown) expect(text).not.toContain(secret(7))
    const broken = () => KeyRing.parse(`k1:wrong:${secret(7)}`)
    expect(broken).toThrow(/^(?!.*BwcHBwc)/)
  })
})
