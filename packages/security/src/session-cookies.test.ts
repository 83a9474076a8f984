import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { equalBytes, equalText } from './bytes.ts'
import { KeyRing } from './key-ring.ts'
import { derivedKey } from './keyed-hash.ts'
import { SessionCookies } from './session-cookies.ts'

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const cookiesWith = (ring: string) => new SessionCookies(KeyRing.parse(ring), 'gms')
const cookies = cookiesWith(`k1:active:${key(1)}`)
const id = newId('gms')
const value = cookies.issue(id)
const secret = value.split('.')[2] ?? ''

describe('D25 session cookies', () => {
  it('D25 a value is session id, key id and secret, and is verified without a store', () => {
    expect(value).toMatch(/^gms_[0-9A-Z]{26}\.k1\.[A-Za-z0-9_-]{43}$/)
    expect(cookies.verify(value)).toBe(id)
    expect(cookiesWith(`k1:active:${key(1)}`).verify(value)).toBe(id)
  })

  it('D25 secrets differ by session, tenant, key id and key', () => {
    const tenant = newId('tnt')
    const secrets = [
      value,
      cookies.issue(newId('gms')),
      cookies.issue(id, tenant),
      cookies.issue(id, newId('tnt')),
      cookiesWith(`k2:active:${key(1)}`).issue(id),
      cookiesWith(`k1:active:${key(2)}`).issue(id),
    ].map((issued) => issued.split('.')[2])
    expect(new Set(secrets).size).toBe(secrets.length)
  })

  it('D26 rejects a session of another tenant', () => {
    const [here, there] = [newId('tnt'), newId('tnt')]
    const issued = cookies.issue(id, here)
    expect(cookies.verify(issued, here)).toBe(id)
    expect(cookies.verify(issued, there)).toBeNull()
    expect(cookies.verify(issued)).toBeNull()
    expect(cookies.verify(value, here)).toBeNull()
  })

  it('D3 supports the longer prefix too', () => {
    const booking = new SessionCookies(KeyRing.parse(`k1:active:${key(1)}`), 'tnt_session')
    const bookingId = newId('tnt_session')
    expect(booking.verify(booking.issue(bookingId))).toBe(bookingId)
    expect(cookies.verify(booking.issue(bookingId))).toBeNull()
  })

  it.each([
    undefined,
    null,
    7,
    '',
    id,
    secret,
    `${id}.`,
    `${id}.k1.`,
    `.k1.${secret}`,
    `${id}.${secret}`,
    `${id}..${secret}`,
    `${value}=`,
    `${value} `,
    ` ${value}`,
    `${id}.k1.${secret.slice(1)}`,
    `${value}A`,
    `${id}.k1.${'A'.repeat(43)}`,
    `${id}.k1.${'+'.repeat(42)}A`,
    `${id.toLowerCase()}.k1.${secret}`,
    `${value}.${secret}`,
    `${id}.K1.${secret}`,
    `${id}.k1.${'A'.repeat(1_000_000)}`,
  ])('D3 rejects %j', (wrong) => {
    expect(cookies.verify(wrong)).toBeNull()
  })
})

describe('D25 rotation of session keys', () => {
  const during = cookiesWith(`k1:grace:${key(1)},k2:active:${key(2)}`)

  it('D25 verifies the previous key during its grace, and issues with the active one', () => {
    expect(during.verify(value)).toBe(id)
    const renewed = during.issue(id)
    expect(renewed.split('.')[1]).toBe('k2')
    expect(during.verify(renewed)).toBe(id)
    expect(cookiesWith(`k2:active:${key(2)}`).verify(renewed)).toBe(id)
  })

  it('D25 verifies a key before it is used', () => {
    const before = cookiesWith(`k1:active:${key(1)},k2:known:${key(2)}`)
    expect(before.verify(during.issue(id))).toBe(id)
  })

  it.each([
    ['retired', `k1:retired:${key(1)},k2:active:${key(2)}`],
    ['unknown', `k2:active:${key(2)}`],
    ['reused for another key', `k1:active:${key(3)}`],
  ])('D25 rejects a key id that is %s', (_what, ring) => {
    expect(cookiesWith(ring).verify(value)).toBeNull()
  })
})

describe('constant-time comparison', () => {
  it.each([
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['é', 'ab', false],
    ['é', 'e', false],
  ])('of %j and %j is %s', (a, b, expected) => {
    expect(equalText(a, b)).toBe(expected)
    expect(equalBytes(Buffer.from(a), Buffer.from(b))).toBe(expected)
  })
})

describe('D8 derived keys', () => {
  it('D8 the same parts give the same visible key', () => {
    expect(derivedKey('s', 'a', 'b')).toBe(derivedKey(Buffer.from('s'), 'a', 'b'))
    expect(derivedKey('s', 'a', 'b')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('D8 different parts, boundaries or secrets give a different key', () => {
    const keys = [
      derivedKey('s', 'a', 'b'),
      derivedKey('s', 'b', 'a'),
      derivedKey('s', 'ab'),
      derivedKey('s', 'a', 'b', ''),
      derivedKey('s', 'a","b'),
      derivedKey('s', 'a,b'),
      derivedKey('t', 'a', 'b'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(() => derivedKey('s')).toThrow(TypeError)
  })
})
