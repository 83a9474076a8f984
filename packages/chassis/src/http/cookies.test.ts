import { describe, expect, it } from 'vitest'
import { readCookie, renderCookie } from './cookies.ts'

const name = '__Host-gms_id'

describe('readCookie', () => {
  it.each([
    ['alone', `${name}=abc`, 'abc'],
    ['among others', `a=1; ${name}=abc;b=2`, 'abc'],
    ['with an equals sign', `${name}=a=b`, 'a=b'],
    ['absent', 'a=1', undefined],
    ['only as a suffix', `x${name}=abc`, undefined],
    ['twice', `${name}=abc; ${name}=def`, undefined],
    ['garbage', ';;;=%%%', undefined],
  ])('reads one that is %s', (_name, header, value) => {
    expect(readCookie(header, name)).toBe(value)
  })
})

describe('renderCookie', () => {
  it('has the attributes of D3', () => {
    expect(renderCookie(name, 'abc.def', { maxAgeSeconds: 60 })).toBe(
      `${name}=abc.def; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax`,
    )
  })

  it.each(['a;b', 'a\r\nset-cookie: x', 'a b', 'a,b'])('rejects the value %j', (value) => {
    expect(() => renderCookie(name, value, { maxAgeSeconds: 1 })).toThrow(TypeError)
  })
})
