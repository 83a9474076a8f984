import { generateKeyPairSync, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ecdsaToDer } from './ecdsa-der.ts'

describe('ES256 signatures in DER', () => {
  it.each([
    ['zeros', Buffer.alloc(64), '3006020100020100'],
    ['small numbers', half('01', '7f'), '300602010102017f'],
    ['top bit set', half('80', 'ff'), '30080202008002' + '0200ff'],
    ['inner zeros preserved', half('0100', '0001'), '3007020201000201' + '01'],
  ])('%s', (_what, signature, hex) => {
    expect(ecdsaToDer(signature)?.toString('hex')).toBe(hex)
  })

  it.each([0, 1, 63, 65, 128])('rejects %d bytes', (length) => {
    expect(ecdsaToDer(Buffer.alloc(length))).toBeNull()
  })

  it('agrees with the conversion of Node for any bytes', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const input = Buffer.from('input')
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        const signature = Buffer.from(bytes)
        const own = verify(
          'sha256',
          input,
          { key: publicKey, dsaEncoding: 'ieee-p1363' },
          signature,
        )
        const der = ecdsaToDer(signature)
        expect(der !== null && verify('sha256', input, publicKey, der)).toBe(own)
      }),
    )
  })
})

function half(r: string, s: string): Buffer {
  return Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex')
}
