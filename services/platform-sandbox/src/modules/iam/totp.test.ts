import { describe, expect, it } from 'vitest'
import { decodeBase32, hotp, verifyTotp } from './totp.ts'

/** The ASCII text "12345678901234567890" of RFC 4226 and RFC 6238, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('HOTP', () => {
  it.each([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])('RFC 4226 appendix D: %s', (code) => {
    const codes = Array.from({ length: 10 }, (_, count) => hotp(decodeBase32(SECRET), count, 6))
    expect(codes).toContain(code)
  })
})

describe('TOTP', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('RFC 6238 appendix B, SHA-1: at %d seconds', (seconds, code) => {
    expect(hotp(decodeBase32(SECRET), Math.floor(seconds / 30), 8)).toBe(code)
  })

  const at = (step: number) => new Date(step * 30_000 + 15_000)
  const codeOf = (step: number) => hotp(decodeBase32(SECRET), step, 6)
  const verify = (step: number, codeStep: number, lastStep = 0) =>
    verifyTotp({ secret: SECRET, code: codeOf(codeStep), now: at(step), lastStep })

  it('accepts a clock that differs by one step, not by two', () => {
    expect([999, 1_000, 1_001].map((step) => verify(1_000, step))).toEqual([999, 1_000, 1_001])
    expect([998, 1_002].map((step) => verify(1_000, step))).toEqual([null, null])
  })

  it('STAFF-AUTH-18 accepts a step once, and no earlier step after it', () => {
    expect(verify(1_000, 1_000, 1_000)).toBeNull()
    expect(verify(1_000, 999, 1_000)).toBeNull()
    expect(verify(1_000, 1_001, 1_000)).toBe(1_001)
  })
})
