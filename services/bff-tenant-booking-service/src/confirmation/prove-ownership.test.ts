import { isProblem, newId, parseIsoDate } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { describe, expect, it } from 'vitest'
import type { BookedDraft } from './booked-stay.ts'
import { confirmationToken } from './confirmation-link.ts'
import { type Claimant, proveOwnership } from './prove-ownership.ts'

const tenantId = newId('tnt')
const reservationId = newId('rsv')
const sessionId = newId('tnt_session')
const draft: BookedDraft = {
  id: newId('bdr'),
  tenantId,
  sessionId,
  state: 'confirmed',
  reservationId,
  reservationCode: 'ABCD2345',
  terms: {
    quoteId: newId('qte'),
    digest: `sha256:${'0'.repeat(64)}`,
    propertyId: newId('ppt'),
    stay: { checkIn: parseIsoDate('2026-11-18'), checkOut: parseIsoDate('2026-11-20') },
    occupancy: { adults: 1, children: 0, rooms: 1 },
    rooms: [],
    total: { amountMicro: '1000000', currency: 'AFN' },
  },
  guest: null,
  history: [],
  outcome: null,
}

const reported: unknown[] = []
const keys = KeyRing.parse(`c1:active:${Buffer.alloc(32, 1).toString('base64url')}`)
const deps = {
  confirmationKeys: keys,
  clock: { now: () => new Date('2026-11-16T09:00:00Z') },
  errors: { report: (_component: string, error: unknown) => void reported.push(error) },
  findDraft: async (ref: { tenantId: string; reservationId: string }) =>
    ref.tenantId === tenantId && ref.reservationId === reservationId ? draft : null,
}
const stay = { tenantId, reservationId, checkOut: parseIsoDate('2026-11-20') }
const token = confirmationToken(deps, stay)
const stranger = { tenantId, reservationId, sessionId: newId('tnt_session'), token: undefined }
const prove = (changed: Partial<Claimant>, using = deps) =>
  proveOwnership(using, { ...stranger, ...changed })

const codeOf = async (proof: Promise<unknown>) => {
  const error = await proof.catch((thrown: unknown) => thrown)
  return isProblem(error) ? error.code : error
}
const NOT_FOUND = 'MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND'

describe('T9 proof of ownership', () => {
  it('is the session that booked, or a signed link', async () => {
    expect(await prove({ sessionId })).toMatchObject({ isOwnSession: true, draft })
    expect(await prove({ token })).toMatchObject({ isOwnSession: false, draft })
    expect(await prove({ token, sessionId: null })).toMatchObject({ isOwnSession: false })
    expect(await prove({ token, sessionId })).toMatchObject({ isOwnSession: true })
  })

  it.each<[string, Partial<Claimant>]>([
    ['another session', {}],
    ['no session', { sessionId: null }],
    ['a forged link', { token: `${token.slice(0, -4)}AAAA` }],
    ['the own session at another tenant', { sessionId, tenantId: newId('tnt') }],
    ['a link at another tenant', { token, tenantId: newId('tnt') }],
    ['another reservation', { sessionId, token, reservationId: newId('rsv') }],
    ['what is not an id', { sessionId, token, reservationId: "rsv_' or true" }],
    ['the id of something else', { sessionId, token, reservationId: draft.id }],
  ])('without it the confirmation is not found: %s', async (_what, claimant) => {
    expect(await codeOf(prove(claimant))).toBe(NOT_FOUND)
  })

  it('expires with the link', async () => {
    const later = { ...deps, clock: { now: () => new Date('2026-12-04T00:00:00Z') } }
    expect(await codeOf(prove({ token }, later))).toBe(NOT_FOUND)
    expect(await prove({ sessionId }, later)).toMatchObject({ isOwnSession: true })
  })

  it('needs no database with a link, and is undecided without one', async () => {
    const outage = new Error('no connection')
    const broken = { ...deps, findDraft: () => Promise.reject(outage) }
    const proof = await prove({ token, sessionId }, broken)
    expect(proof).toMatchObject({ isOwnSession: false, draft: null })
    expect(reported).toEqual([outage])
    expect(await codeOf(prove({ sessionId }, broken))).toBe(outage)
  })
})
