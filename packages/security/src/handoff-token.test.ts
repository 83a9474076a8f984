import { newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HandoffFields, NO_OFFER } from './handoff-lines.ts'
import { mintHandoff, verifyHandoff } from './handoff-token.ts'
import {
  audience,
  catchProblem,
  codeOf,
  fields,
  INVALID,
  lines,
  linesOf,
  minted,
  now,
  outcome,
  ring,
  signLines,
  token,
} from './test-handoff.ts'

describe('D4 handoff token', () => {
  it('D4 round-trips every field', () => {
    const { signatureFingerprint, ...handoff } = verifyHandoff(token, ring, audience)
    expect(handoff).toEqual({
      ...fields,
      version: 3,
      mintedAt: '2026-04-23T09:14:00.000Z',
      expiresAt: '2026-04-23T09:44:00.000Z',
      keyId: 'hmac-2026-04',
    })
    expect(signatureFingerprint).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(signatureFingerprint).toBe(minted.signatureFingerprint)
  })

  it('D4 signs exactly the twenty-four lines that are sent, in their order', () => {
    expect(lines).toHaveLength(24)
    expect(lines.slice(0, 2)).toEqual(['v3', fields.id])
    expect(lines.slice(14)).toEqual([
      'hmac-2026-04',
      '0%2C17',
      'google',
      'cpc',
      'spring%20%26%20summer%2F2026',
      fields.offer.roomTypeId,
      fields.offer.ratePlanId,
      fields.offer.digest,
      '1250000',
      'AFN',
    ])
    expect(signLines(lines)).toBe(token)
  })

  it('D4 verifies v1 with exactly its fifteen lines', () => {
    const v1 = ['v1', ...lines.slice(1, 15)]
    expect(verifyHandoff(signLines(v1), ring, audience)).toMatchObject({
      version: 1,
      id: fields.id,
      childrenAges: [],
      campaign: { source: '', medium: '', name: '' },
      offer: NO_OFFER,
    })
    expect(codeOf(signLines([...v1, '']))).toBe(INVALID)
    expect(codeOf(signLines(v1.slice(0, 14)))).toBe(INVALID)
    expect(codeOf(signLines(['v1', ...lines.slice(1)]))).toBe(INVALID)
    expect(codeOf(signLines(lines.slice(0, 15)))).toBe(INVALID)
    expect(codeOf(signLines(['v3', ...lines.slice(1, 15)]))).toBe(INVALID)
  })

  it('D4 verifies v2 with exactly its nineteen lines', () => {
    const v2 = ['v2', ...lines.slice(1, 19)]
    const { childrenAges, campaign } = fields
    expect(verifyHandoff(signLines(v2), ring, audience)).toMatchObject({
      version: 2,
      childrenAges,
      campaign,
      offer: NO_OFFER,
    })
    expect(codeOf(signLines(['v2', ...lines.slice(1)]))).toBe(INVALID)
    expect(codeOf(signLines(v2.slice(0, 18)))).toBe(INVALID)
    expect(codeOf(signLines(['v3', ...v2.slice(1)]))).toBe(INVALID)
    expect(codeOf(signLines(['v4', ...lines.slice(1)]))).toBe(INVALID)
    expect(codeOf(signLines(['constructor', ...lines.slice(1)]))).toBe(INVALID)
  })

  it('D4 each part of the offer may be absent', () => {
    const offers: HandoffFields['offer'][] = [
      NO_OFFER,
      { ...fields.offer, roomTypeId: null },
      { ...fields.offer, ratePlanId: null },
      { ...fields.offer, digest: null },
      { ...fields.offer, shownPrice: null },
      { ...NO_OFFER, shownPrice: { amountMinor: 0, currency: 'USD' } },
    ]
    for (const offer of offers) {
      const sent = mintHandoff({ ...fields, offer }, ring, now).token
      expect(linesOf(sent)).toHaveLength(24)
      expect(verifyHandoff(sent, ring, audience).offer).toEqual(offer)
    }
  })

  it('D4 round-trips any valid payload, free text included', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter(
        (value) =>
          !/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(value),
      )
    const payloads = fc.record({
      adults: fc.integer({ min: 1, max: 99 }),
      rooms: fc.integer({ min: 1, max: 99 }),
      childrenAges: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 12 }),
      campaign: fc.record({ source: text, medium: text, name: text }),
      offer: fc.record({
        roomTypeId: fc.constantFrom(null, newId('rmt')),
        ratePlanId: fc.constantFrom(null, newId('rate')),
        digest: fc.constantFrom(null, fields.offer.digest),
        shownPrice: fc.option(
          fc.record({
            amountMinor: fc.integer({ min: 0, max: 999_999_999_999_999 }),
            currency: fc.stringMatching(/^[A-Z]{3}$/),
          }),
        ),
      }),
    })
    fc.assert(
      fc.property(payloads, (payload) => {
        const sent = { ...fields, ...payload, children: payload.childrenAges.length }
        const minted = mintHandoff(sent, ring, now)
        expect(verifyHandoff(minted.token, ring, audience)).toMatchObject(sent)
        expect(minted.token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/)
      }),
    )
  })
})

describe('SEC-H08 mint rejects invalid payloads', () => {
  const bad = [
    'a\nb',
    'a\u0000b',
    'a\u2028b',
    'a\u2029b',
    '\u202eabc',
    '\u2066x',
    'x\u007f',
    '\ud800',
    'x'.repeat(10_240),
  ]
  const resultOf = (change: Partial<Record<keyof HandoffFields, unknown>>) =>
    outcome(() => mintHandoff({ ...fields, ...change } as HandoffFields, ring, now))
  const REJECTED = 'MELMASTOON.BFF.CONSUMER.HANDOFF_FIELD_INVALID'

  it.each([
    'id',
    'guestSessionId',
    'tenantId',
    'propertyId',
    'checkIn',
    'checkOut',
    'currency',
    'locale',
  ] as const)('SEC-H08 rejects bad text in %s', (name) => {
    for (const text of bad) {
      expect(resultOf({ [name]: text })).toBe(REJECTED)
      expect(resultOf({ [name]: fields[name] + text })).toBe(REJECTED)
    }
  })

  it.each(['source', 'medium', 'name'] as const)(
    'SEC-H08 rejects bad text in campaign %s',
    (name) => {
      for (const text of bad) {
        expect(resultOf({ campaign: { ...fields.campaign, [name]: text } })).toBe(REJECTED)
      }
      const persian = { ...fields.campaign, [name]: 'می\u200cروم 😀' }
      expect(resultOf({ campaign: persian })).toBe('accepted')
    },
  )

  it.each([
    { adults: 0 },
    { adults: 1.5 },
    { adults: '2\n3' },
    { children: -1 },
    { rooms: Number.NaN },
    { childrenAges: [1] },
    { childrenAges: [1, 18] },
    { childrenAges: ['1\n', 2] },
    { checkOut: fields.checkIn },
    { offer: { ...fields.offer, roomTypeId: newId('rate') } },
    { offer: { ...fields.offer, ratePlanId: 'BAR\n' } },
    { offer: { ...fields.offer, digest: 'sha256:x' } },
    { offer: { ...fields.offer, shownPrice: { amountMinor: -1, currency: 'AFN' } } },
    { offer: { ...fields.offer, shownPrice: { amountMinor: 1e15, currency: 'AFN' } } },
    { offer: { ...fields.offer, shownPrice: { amountMinor: 1.5, currency: 'AFN' } } },
    { offer: { ...fields.offer, shownPrice: { amountMinor: 1, currency: '' } } },
    { offer: { ...fields.offer, shownPrice: { amountMinor: 1, currency: 'A\nN' } } },
  ])('SEC-H08 rejects %j', (change) => {
    expect(resultOf(change)).toBe(REJECTED)
  })

  it('SEC-H08 names the field and not its value', () => {
    const thrown = catchProblem(() => mintHandoff({ ...fields, locale: 'secret\n' }, ring, now))
    const error = { pointer: '/locale', code: 'handoff', detail: 'cannot be signed' }
    expect(thrown?.errors).toEqual([error])
    expect(thrown?.message).not.toContain('secret')
  })
})
