import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { mintHandoff, verifyHandoff } from './handoff-token.ts'
import { KeyRing, type RingKey } from './key-ring.ts'
import { SessionCookies } from './session-cookies.ts'
import {
  audience,
  codeOf,
  EXPIRED,
  fields,
  INVALID,
  lines,
  MINUTE_MS,
  now,
  outcome,
  ring,
  secret,
  signLines,
  token,
  withLine,
} from './test-handoff.ts'

describe('SEC-H05 audience', () => {
  it('SEC-H05 a token of one tenant is not valid for another', () => {
    const other = { now, tenantId: newId('tnt') }
    expect(outcome(() => verifyHandoff(token, ring, other))).toBe(INVALID)
  })

  it('SEC-H05 another service rejects with its own codes; only a signed token reveals its tenant', () => {
    const rejections = {
      invalid: 'MELMASTOON.GENERAL.UNAUTHENTICATED',
      expired: 'MELMASTOON.GENERAL.CONFLICT',
      otherTenant: 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
    } as const
    const rejectionOf = (text: string, over: Partial<typeof audience> = {}) =>
      outcome(() => verifyHandoff(text, ring, { ...audience, rejections, ...over }))
    const late = { now: new Date(now.getTime() + 32 * MINUTE_MS) }
    const elsewhere = { tenantId: newId('tnt') }
    const forged = `${token.slice(0, -2)}AA`
    expect(rejectionOf(token)).toBe('accepted')
    expect(rejectionOf(token, late)).toBe(rejections.expired)
    expect(rejectionOf(token, elsewhere)).toBe(rejections.otherTenant)
    expect(rejectionOf(token, { ...elsewhere, ...late })).toBe(rejections.otherTenant)
    for (const over of [{}, late, elsewhere]) {
      expect(rejectionOf(forged, over)).toBe(rejections.invalid)
    }
    expect(rejectionOf(signLines(lines.slice(1)))).toBe(rejections.invalid)
  })

  it('SEC-H05 a handoff is not a session and a session is not a handoff', () => {
    const cookies = new SessionCookies(ring, 'gms')
    expect(cookies.verify(token)).toBeNull()
    expect(new SessionCookies(ring, 'tnt_session').verify(token)).toBeNull()
    expect(codeOf(cookies.issue(newId('gms')))).toBe(INVALID)
  })
})

describe('SEC-H06 time', () => {
  const EXPIRY_MS = now.getTime() + 30 * MINUTE_MS

  it.each([
    [-61_000, 'accepted'],
    [-1, 'accepted'],
    [0, 'accepted'],
    [59_999, 'accepted'],
    [60_000, 'accepted'],
    [60_001, EXPIRED],
    [61_000, EXPIRED],
    [86_400_000, EXPIRED],
  ])('SEC-H06 at expiry %d ms the result is %s', (offsetMs, expected) => {
    expect(codeOf(token, new Date(EXPIRY_MS + offsetMs))).toBe(expected)
  })

  it.each([
    [-60_000, 'accepted'],
    [-60_001, INVALID],
    [-61_000, INVALID],
  ])('SEC-H06 minted %d ms in the future gives %s', (offsetMs, expected) => {
    expect(codeOf(token, new Date(now.getTime() + offsetMs))).toBe(expected)
  })

  it.each([-1, 1, -MINUTE_MS, MINUTE_MS, 24 * 60 * MINUTE_MS])(
    'SEC-H06 rejects a lifetime that is off by %d ms',
    (offsetMs) => {
      const expiresAt = new Date(EXPIRY_MS + offsetMs).toISOString()
      expect(codeOf(signLines(withLine(13, expiresAt)))).toBe(INVALID)
    },
  )

  it('SEC-H06 a forged late token is a forgery, not a late token', () => {
    expect(codeOf(`${token.slice(0, -2)}AA`, new Date(EXPIRY_MS * 2))).toBe(INVALID)
  })
})

describe('SEC-H07 key rotation', () => {
  const oldOnly = ring
  const learned = KeyRing.parse(`hmac-2026-04:active:${secret(1)},hmac-2026-05:known:${secret(2)}`)
  const rotated = KeyRing.parse(`hmac-2026-04:grace:${secret(1)},hmac-2026-05:active:${secret(2)}`)
  const done = KeyRing.parse(`hmac-2026-04:retired:${secret(1)},hmac-2026-05:active:${secret(2)}`)
  const check = (minter: KeyRing, verifier: KeyRing) =>
    outcome(() => verifyHandoff(mintHandoff(fields, minter, now).token, verifier, audience))

  it('SEC-H07 verifier first: no step rejects a good token', () => {
    const steps: [KeyRing, KeyRing][] = [
      [oldOnly, oldOnly],
      [oldOnly, learned],
      [rotated, learned],
      [oldOnly, rotated],
      [rotated, rotated],
      [done, rotated],
      [rotated, done],
    ]
    for (const [minter, verifier] of steps) expect(check(minter, verifier)).toBe('accepted')
  })

  it('SEC-H07 minter first, unknown and retired keys are rejected', () => {
    expect(check(rotated, oldOnly)).toBe(INVALID)
    expect(check(oldOnly, done)).toBe(INVALID)
  })

  it('SEC-H07 the named key must be the one that signed', () => {
    const newKey = rotated.active.key
    expect(outcome(() => verifyHandoff(signLines(lines, newKey), rotated, audience))).toBe(INVALID)
    const renamed = withLine(14, 'hmac-2026-05')
    expect(outcome(() => verifyHandoff(signLines(renamed, newKey), rotated, audience))).toBe(
      'accepted',
    )
  })
})

describe('SEC-H12 equal work', () => {
  it('SEC-H12 signs with every key once, independently of the key of the token', () => {
    let signed = 0
    const counted = (key: RingKey): RingKey => ({
      ...key,
      get key() {
        signed += 1
        return key.key
      },
    })
    const keys = KeyRing.parse(
      `hmac-2026-04:active:${secret(1)},hmac-2026-05:known:${secret(2)},hmac-2026-03:grace:${secret(3)}`,
    )
    const watched = new KeyRing(keys.verifying.map(counted))
    const stranger = KeyRing.parse(`hmac-2026-04:active:${secret(9)}`).active.key
    const [, known, grace] = keys.verifying
    const signers = [ring.active.key, known?.key, grace?.key, stranger]
    const work = signers.map((key) => {
      signed = 0
      outcome(() => verifyHandoff(signLines(lines, key), watched, audience))
      return signed
    })
    expect(work).toEqual([3, 3, 3, 3])
  })
})
