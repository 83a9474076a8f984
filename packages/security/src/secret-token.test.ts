import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { equalBytes, equalText } from './bytes.ts'
import { derivedKey } from './keyed-hash.ts'
import { newSecretCookie, parseSecretCookie } from './secret-token.ts'

const cookie = newSecretCookie('gms')
const [id = '', secret = ''] = cookie.cookieValue.split('.')

describe('D3 secret cookies', () => {
  it('D3 the value is id and secret, the store sees only the hash', () => {
    expect(cookie.cookieValue).toMatch(/^gms_[0-9A-Z]{26}\.[A-Za-z0-9_-]{43}$/)
    expect(cookie.id).toBe(id)
    expect(cookie.secretHash).toBe(createHash('sha256').update(secret).digest('base64url'))
    expect(parseSecretCookie(cookie.cookieValue, 'gms')).toEqual({
      id,
      secretHash: cookie.secretHash,
    })
  })

  it('D3 secrets are unique', () => {
    const secrets = Array.from({ length: 5000 }, () => newSecretCookie('gms').secretHash)
    expect(new Set(secrets).size).toBe(5000)
  })

  it('D3 works for the longer prefix too', () => {
    const booking = newSecretCookie('tnt_session')
    expect(parseSecretCookie(booking.cookieValue, 'tnt_session')?.id).toBe(booking.id)
    expect(parseSecretCookie(booking.cookieValue, 'tnt')).toBeNull()
    expect(parseSecretCookie(booking.cookieValue, 'gms')).toBeNull()
  })

  it.each([
    undefined,
    null,
    7,
    '',
    id,
    secret,
    `${id}.`,
    `.${secret}`,
    `${id}${secret}`,
    `${id}..${secret}`,
    `${id}.${secret}=`,
    `${id}.${secret} `,
    ` ${id}.${secret}`,
    `${id}.${secret.slice(1)}`,
    `${id}.${secret}A`,
    `${id}.${secret.slice(0, 42)}B`,
    `${id}.${'+'.repeat(42)}A`,
    `${id.toLowerCase()}.${secret}`,
    `${id}.${secret}.${secret}`,
    `${id}.${'A'.repeat(1_000_000)}`,
  ])('D3 rejects %j', (value) => {
    expect(parseSecretCookie(value, 'gms')).toBeNull()
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
  it('D8 the same parts give the same printable key', () => {
    expect(derivedKey('s', 'a', 'b')).toBe(derivedKey(Buffer.from('s'), 'a', 'b'))
    expect(derivedKey('s', 'a', 'b')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('D8 other parts, other borders or another secret give another key', () => {
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
