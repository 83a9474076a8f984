import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KeyRing } from './key-ring.ts'
import { open, openJson, SealedBoxError, seal, sealJson } from './sealed-box.ts'

const secret = (fill: number, bytes = 32) => Buffer.alloc(bytes, fill).toString('base64url')
const ring = KeyRing.parse(`k2:active:${secret(2)},k1:grace:${secret(1)}`)
const CONTEXT = ['tenant-1', 'draft-1']
const PLAIN = Buffer.from('Zarghuna Ana, 0700 123 456')

function errorOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return expect.fail('nothing was thrown')
}

function expectClosed(action: () => unknown) {
  const error = errorOf(action)
  expect(error).toBeInstanceOf(SealedBoxError)
  expect(error).toHaveProperty('message', 'the sealed box cannot be opened')
  expect(error).not.toHaveProperty('cause')
}

describe('sealed box', () => {
  it.each([0, 1, 15, 16, 17, 70_000])('opens what it has sealed: %i bytes', (size) => {
    const plain = Buffer.alloc(size, 0xa5)
    expect(open(ring, CONTEXT, seal(ring, CONTEXT, plain))).toEqual(plain)
  })

  it('opens a box that is a part of a larger buffer', () => {
    const box = seal(ring, CONTEXT, PLAIN)
    const larger = new Uint8Array([9, 9, 9, ...box, 9])
    expect(open(ring, CONTEXT, larger.subarray(3, 3 + box.length))).toEqual(PLAIN)
  })

  it('keeps JSON values, and rejects what has no JSON form', () => {
    const value = { name: 'زرغونه', nested: [1, null, true] }
    expect(openJson(ring, CONTEXT, sealJson(ring, CONTEXT, value))).toEqual(value)
    expect(() => sealJson(ring, CONTEXT, undefined)).toThrow(TypeError)
    expectClosed(() => openJson(ring, CONTEXT, seal(ring, CONTEXT, Buffer.from('{'))))
  })

  it('contains no plain text, and two boxes of one text share only the header', () => {
    const [first, second] = [seal(ring, CONTEXT, PLAIN), seal(ring, CONTEXT, PLAIN)]
    expect(first.includes('Zarghuna')).toBe(false)
    expect(first.subarray(0, 4)).toEqual(second.subarray(0, 4))
    expect(first.subarray(4, 16)).not.toEqual(second.subarray(4, 16))
    expect(first.subarray(16)).not.toEqual(second.subarray(16))
  })

  it('names its version and key', () => {
    expect([...seal(ring, CONTEXT, PLAIN).subarray(0, 4)]).toEqual([1, 2, 0x6b, 0x32])
  })
})

describe('a changed box does not open', () => {
  it('after a change of any single bit', () => {
    const box = seal(ring, CONTEXT, PLAIN)
    for (let bit = 0; bit < box.length * 8; bit += 1) {
      const changed = Buffer.from(box)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expectClosed(() => open(ring, CONTEXT, changed))
    }
    expect(open(ring, CONTEXT, box)).toEqual(PLAIN)
  })

  it('after a cut at any length, or with bytes added', () => {
    const box = seal(ring, CONTEXT, PLAIN)
    for (let length = 0; length < box.length; length += 1) {
      expectClosed(() => open(ring, CONTEXT, box.subarray(0, length)))
    }
    expectClosed(() => open(ring, CONTEXT, Buffer.concat([box, Buffer.from([0])])))
    expectClosed(() => open(ring, CONTEXT, Buffer.concat([Buffer.from([0]), box])))
  })

  it('with the parts of another box', () => {
    const [box, other] = [seal(ring, CONTEXT, PLAIN), seal(ring, CONTEXT, PLAIN)]
    const join = (...parts: Buffer[]) => Buffer.concat(parts)
    const [head, nonce] = [box.subarray(0, 4), box.subarray(4, 16)]
    const [body, tag] = [box.subarray(16, -16), box.subarray(-16)]
    expect(open(ring, CONTEXT, join(head, nonce, body, tag))).toEqual(PLAIN)
    expectClosed(() => open(ring, CONTEXT, join(head, other.subarray(4, 16), body, tag)))
    expectClosed(() => open(ring, CONTEXT, join(head, nonce, other.subarray(16, -16), tag)))
    expectClosed(() => open(ring, CONTEXT, join(head, nonce, body, other.subarray(-16))))
  })

  it.each([
    ['another record', ['tenant-1', 'draft-2']],
    ['another tenant', ['tenant-2', 'draft-1']],
    ['no context', []],
    ['the parts in another order', ['draft-1', 'tenant-1']],
    ['the parts joined', ['tenant-1draft-1']],
    ['the parts split elsewhere', ['tenant-1d', 'raft-1']],
    ['one part more', ['tenant-1', 'draft-1', '']],
  ])('with the context of %s', (_what, context) => {
    const box = seal(ring, CONTEXT, PLAIN)
    expectClosed(() => open(ring, context, box))
  })
})

describe('rotation of the sealing key', () => {
  const before = KeyRing.parse(`k1:active:${secret(1)}`)

  it('opens boxes of a key in grace, and seals with the active one', () => {
    expect(open(ring, CONTEXT, seal(before, CONTEXT, PLAIN))).toEqual(PLAIN)
    expectClosed(() => open(before, CONTEXT, seal(ring, CONTEXT, PLAIN)))
  })

  it('does not open boxes of a retired or unknown key, or of another key with the same id', () => {
    const box = seal(before, CONTEXT, PLAIN)
    const retired = KeyRing.parse(`k2:active:${secret(2)},k1:retired:${secret(1)}`)
    expectClosed(() => open(retired, CONTEXT, box))
    expectClosed(() => open(KeyRing.parse(`k2:active:${secret(2)}`), CONTEXT, box))
    expectClosed(() => open(KeyRing.parse(`k1:active:${secret(3)}`), CONTEXT, box))
  })

  it('takes keys longer than 32 bytes as a whole', () => {
    const long = (last: number) => {
      const bytes = Buffer.alloc(64, 5)
      bytes[63] = last
      return KeyRing.parse(`k1:active:${bytes.toString('base64url')}`)
    }
    const box = seal(long(1), CONTEXT, PLAIN)
    expect(open(long(1), CONTEXT, box)).toEqual(PLAIN)
    expectClosed(() => open(long(2), CONTEXT, box))
  })

  it('never shows a key or the text in an error', () => {
    const box = seal(before, CONTEXT, PLAIN)
    const other = KeyRing.parse(`k1:active:${secret(3)}`)
    const shown = inspect(errorOf(() => open(other, CONTEXT, box)))
    expect(shown).not.toContain(secret(3))
    expect(shown).not.toContain('Zarghuna')
  })
})
