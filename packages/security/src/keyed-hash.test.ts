import { describe, expect, it } from 'vitest'
import { KeyRing } from './key-ring.ts'
import { KeyedHash, networkOf } from './keyed-hash.ts'

const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const first = new KeyedHash(KeyRing.parse(`p1:active:${secret(1)}`))
const rotated = new KeyedHash(KeyRing.parse(`p1:grace:${secret(1)},p2:active:${secret(2)}`))

describe('D13 keyed hashes', () => {
  it('D13 is stable under one pepper and different under another', () => {
    expect(first.hash('guest@example.com')).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(first.hash('guest@example.com')).toBe(first.hash('guest@example.com'))
    expect(rotated.hash('guest@example.com')).not.toBe(first.hash('guest@example.com'))
    expect([first.pepperVersion, rotated.pepperVersion]).toEqual(['p1', 'p2'])
  })

  it('D13 lookups during a rotation find both hashes', () => {
    expect(rotated.candidates('x')).toEqual([rotated.hash('x'), first.hash('x')])
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('D13 %s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
    expect(first.hashAddress(address)).toBe(first.hash(network))
  })

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:9::1', '2001:db8:1::/48'],
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('D13 %s belongs to the site %s', (address, network) => {
    expect(networkOf(address, 48)).toBe(network)
    expect(first.hashAddress(address, 48)).toBe(first.hash(network))
  })

  it('D13 another /64 is another hash', () => {
    expect(first.hashAddress('2001:db8:1:2::1')).not.toBe(first.hashAddress('2001:db8:1:3::1'))
  })

  it.each(['', 'x', '1.2.3', '1.2.3.4.5', '256.1.1.1', '::g', '1:2:3', '203.0.113.7:80', '[::1]'])(
    'D13 %j is not an address',
    (address) => {
      expect(() => networkOf(address)).toThrow(TypeError)
      expect(first.hashAddress(address)).toBe(first.hashAddress(undefined))
    },
  )
})
