import { createHmac, type KeyObject } from 'node:crypto'
import { newId, type Problem, parseIsoDate } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type HandoffFields, NO_OFFER } from './handoff-lines.ts'
import { mintHandoff, verifyHandoff } from './handoff-token.ts'
import { KeyRing, type RingKey } from './key-ring.ts'
import { SessionCookies } from './session-cookies.ts'

const secret = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
const ring = KeyRing.parse(`hmac-2026-04:active:${secret(1)}`)
const now = new Date('2026-04-23T09:14:00.000Z')
const MINUTE_MS = 60_000
const INVALID = 'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID'
const EXPIRED = 'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED'

const fields: HandoffFields = {
  id: newId('bhd'),
  guestSessionId: newId('gms'),
  tenantId: newId('tnt'),
  propertyId: newId('ppt'),
  checkIn: parseIsoDate('2026-05-20'),
  checkOut: parseIsoDate('2026-05-22'),
  adults: 2,
  children: 2,
  rooms: 1,
  currency: 'AFN',
  locale: 'ps-AF',
  childrenAges: [0, 17],
  campaign: { source: 'google', medium: 'cpc', name: 'spring & summer/2026' },
  offer: {
    roomTypeId: newId('rmt'),
    ratePlanId: newId('rate'),
    digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
    shownPrice: { amountMinor: 1_250_000, currency: 'AFN' },
  },
}
const audience = { now, tenantId: fields.tenantId }
const minted = mintHandoff(fields, ring, now)
const { token } = minted
const linesOf = (text: string) =>
  Buffer.from(text.split('.')[0] ?? '', 'base64url')
    .toString('latin1')
    .split('\n')
const lines = linesOf(token)

function signLines(content: readonly string[], key: KeyObject = ring.active.key): string {
  const bytes = Buffer.from(content.join('\n'))
  const mac = createHmac('sha256', key).update(bytes).digest('base64url')
  return `${bytes.toString('base64url')}.${mac}`
}

function outcome(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Problem).code ?? String(error)
  }
  return 'accepted'
}

const codeOf = (text: string, at: Date = now) =>
  outcome(() => verifyHandoff(text, ring, { ...audience, now: at }))

function withLine(index: number, text: string): string[] {
  return lines.map((line, position) => (position === index ? text : line))
}

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

describe('SEC-H01 flipped bits', () => {
  it('SEC-H01 rejects each bit of each segment flipped, always with the same response', () => {
    const messages = new Set<string>()
    const [payload = '', mac = ''] = token.split('.')
    const segments = [Buffer.from(payload, 'base64url'), Buffer.from(mac, 'base64url')]
    for (const [place, segment] of segments.entries()) {
      for (let bit = 0; bit < segment.length * 8; bit += 1) {
        const flipped = segments.map((bytes) => Buffer.from(bytes))
        const target = flipped[place]
        if (target !== undefined) target[bit >> 3] = (target[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const forged = flipped.map((bytes) => bytes.toString('base64url')).join('.')
        messages.add(rejectionText(forged))
      }
    }
    expect([...messages]).toEqual([rejectionText('garbage')])
  })

  it('SEC-H01 never accepts a mutated token', () => {
    const mutation = fc.record({
      at: fc.nat({ max: token.length - 1 }),
      remove: fc.nat({ max: 3 }),
      insert: fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
    })
    fc.assert(
      fc.property(mutation, ({ at, remove, insert }) => {
        const mutated = token.slice(0, at) + insert + token.slice(at + remove)
        expect(codeOf(mutated)).toBe(mutated === token ? 'accepted' : INVALID)
      }),
      { numRuns: 500 },
    )
  })
})

describe('SEC-H02 signed but wrong payloads', () => {
  it('SEC-H02 rejects any line removed, repeated, added or moved', () => {
    for (const [index, line] of lines.entries()) {
      expect(codeOf(signLines(lines.toSpliced(index, 1)))).toBe(INVALID)
      expect(codeOf(signLines(lines.toSpliced(index, 0, line)))).toBe(INVALID)
    }
    expect(codeOf(signLines([...lines, '']))).toBe(INVALID)
    expect(codeOf(signLines(lines.toReversed()))).toBe(INVALID)
    expect(codeOf(signLines([lines.join('\r\n')]))).toBe(INVALID)
    expect(codeOf(signLines(['{"__proto__":{"x":1}}']))).toBe(INVALID)
    expect(codeOf(signLines(['']))).toBe(INVALID)
  })

  it.each<[number, string[]]>([
    [0, ['', 'v0', 'V3', 'v3 ', 'v33', 'v1', 'v2', '__proto__']],
    [1, ['', newId('gms'), fields.id.toLowerCase(), `${fields.id}0`]],
    [2, ['', newId('bhd')]],
    [3, ['', newId('tnt'), newId('tnt_session')]],
    [4, ['', 'ppt_x']],
    [5, ['', '2026-02-30', '2026-05-22', '20260520']],
    [6, ['', '2026-05-20', '2026-05-19']],
    [7, ['', '0', '-1', '02', '100', '1.5', '1e1', ' 2']],
    [8, ['', '-1', '00', '100', '1', '3']],
    [9, ['', '0', '+1']],
    [10, ['', 'afn', 'AFNX', 'AF']],
    [11, ['', 'PS-af', 'ps_AF', 'p', 'ps-AF-x']],
    [12, ['', '2026-04-23T09:14:00Z', '2026-04-23T09:14:00.001Z', '2026-02-30T09:14:00.000Z']],
    [13, ['', '2026-04-23T09:44:00Z', '2026-04-23T10:44:00.000Z']],
    [14, ['', 'hmac-2026-05', 'HMAC-2026-04']],
    [15, ['0%2c17', '0,17', '0', '0%2C18', '0%2C17%2C3', '%2C', '00%2C1', '-1%2C2']],
    [
      16,
      [
        'a b',
        '%',
        '%zz',
        '%67oogle',
        '%c3%a9',
        '%00',
        '%0A',
        '%E2%80%A8',
        '%ED%A0%80',
        'é',
        'x'.repeat(201),
      ],
    ],
    [17, ['a\tb', '%E2%80%AE']],
    [18, ['%7', '%7F']],
    [19, ['rmt_x', newId('rate'), ' ', newId('rmt').toLowerCase()]],
    [20, ['BAR', newId('rmt'), `${newId('rate')}0`]],
    [21, ['sha256:', 'ab'.repeat(32), `sha256:${'AB'.repeat(32)}`, `sha256:${'a'.repeat(65)}`]],
    [22, ['', '-1', '01', '1.5', '1e3', ' 1', '1'.repeat(16)]],
    [23, ['', 'afn', 'AF', 'AFNX', 'AFN ']],
  ])('SEC-H02 rejects line %d with a wrong value although signed', (index, values) => {
    for (const value of values) {
      expect([value, codeOf(signLines(withLine(index, value)))]).toEqual([value, INVALID])
    }
  })
})

describe('SEC-H04 malleations of the text', () => {
  const [payload = '', mac = ''] = token.split('.')
  const lastUp = (text: string, by: number) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    return text.slice(0, -1) + (alphabet[alphabet.indexOf(text.at(-1) ?? 'A') + by] ?? '-')
  }

  it.each([
    ['last character of the MAC +1', `${payload}.${lastUp(mac, 1)}`],
    ['last character of the MAC +2', `${payload}.${lastUp(mac, 2)}`],
    ['last character of the MAC +3', `${payload}.${lastUp(mac, 3)}`],
    ['last character of the payload +1', `${lastUp(payload, 1)}.${mac}`],
    ['padding', `${token}=`],
    ['padding in the middle', `${payload}=.${mac}`],
    ['an exclamation mark', `${payload}!.${mac}`],
    ['a space in front', ` ${token}`],
    ['a space behind', `${token} `],
    ['a line break', `${token}\n`],
    ['standard alphabet', `${payload}.${Buffer.from(mac, 'base64url').toString('base64')}`],
    ['percent-encoding', token.replace('.', '%2E')],
    ['two dots', token.replace('.', '..')],
    ['a third part', `${token}.${mac}`],
    ['no payload', `.${mac}`],
    ['no MAC', `${payload}.`],
    ['half a MAC', `${payload}.${mac.slice(0, 22)}`],
    ['an empty text', ''],
    ['a huge text', `${'A'.repeat(1_000_000)}.${mac}`],
  ])('SEC-H04 rejects %s', (_what, forged) => {
    expect(codeOf(forged)).toBe(INVALID)
  })

  it.each([undefined, null, 7, {}, [token]])('SEC-H04 rejects the value %j', (value) => {
    expect(codeOf(value as unknown as string)).toBe(INVALID)
  })
})

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

function catchProblem(action: () => unknown): Problem | null {
  try {
    action()
    return null
  } catch (error) {
    return error as Problem
  }
}

function rejectionText(text: string): string {
  const thrown = catchProblem(() => verifyHandoff(text, ring, audience))
  if (thrown === null) return 'accepted'
  const { code, detail, errors, cause } = thrown
  return JSON.stringify({ code, detail, errors, cause })
}
