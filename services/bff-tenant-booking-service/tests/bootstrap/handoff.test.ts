import type { TenantId } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newHandoff, tokenOf } from '../handoff/arrival-setup.ts'
import { HANDOFF_KEYS } from '../harness/booking-environment.ts'
import { eventsOf } from '../harness/outbox-events.ts'
import { sessionIdOf } from '../harness/site.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'

const CODE = 'MELMASTOON.BFF.TENANT.HANDOFF_'
const ring = KeyRing.parse(HANDOFF_KEYS)
let booking: Booking
let tenantId: TenantId
beforeAll(async () => {
  booking = await startWithSandbox()
  tenantId = (await booking.platform.tenant(SLUG)).tenantId
})
afterAll(() => booking[Symbol.asyncDispose]())

describe('T3 GET /bootstrap with a handoff', () => {
  it.each(['header', 'query'])('D4 consumes the token of the %s once', async (place) => {
    const handoff = newHandoff({ tenantId })
    const token = tokenOf(handoff, { ring })
    const headers = place === 'header' ? { 'x-handoff-token': token } : {}
    const path = place === 'header' ? '/bootstrap' : `/bootstrap?h=${token}`
    const guest = booking.site.browser()
    const first = await guest.get(path, { headers })
    expect(first.body['handoffPayload']).toMatchObject({ propertyId: handoff.propertyId })
    const reloaded = await guest.get(path, { headers })
    expect(reloaded.body['handoffArrivalId']).toBe(first.body['handoffArrivalId'])
    const stranger = await booking.site.browser().get(path, { headers })
    expect([stranger.status, stranger.body['code']]).toEqual([409, `${CODE}REPLAYED`])
    const events = await eventsOf(booking, sessionIdOf(guest))
    const served = events.find(({ subject }) => subject.includes('bootstrap'))
    expect(served?.payload['handoffArrivalId']).toBe(first.body['handoffArrivalId'])
    expect(JSON.stringify(events)).not.toContain(token)
  })

  it.each([
    ['HEAD', {}],
    ['GET', { 'sec-purpose': 'prefetch' }],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { purpose: 'prefetch' }],
  ] as const)('D4 %s with %j consumes nothing', async (method, headers) => {
    const token = tokenOf(newHandoff({ tenantId }), { ring })
    await booking.site.browser().send(method, `/bootstrap?h=${token}`, { headers })
    const opened = await booking.site.browser().get(`/bootstrap?h=${token}`)
    expect(opened.body['handoffPayload']).not.toBeNull()
  })

  it('rejects tokens of another hotel, expired and forged ones', async () => {
    const { tenantId: other } = await booking.platform.tenant(OTHER_SLUG)
    const tokens = [
      tokenOf(newHandoff({ tenantId: other }), { ring }),
      tokenOf(newHandoff({ tenantId }), { ring, ageMs: 32 * 60_000 }),
      `A${tokenOf(newHandoff({ tenantId }), { ring }).slice(1)}`,
    ]
    const codes = await Promise.all(
      tokens.map(async (token) => (await booking.site.browser().get(`/bootstrap?h=${token}`)).body),
    )
    expect(codes.map((body) => [body['status'], body['code']])).toEqual([
      [404, `${CODE}NOT_FOUND`],
      [410, `${CODE}EXPIRED`],
      [401, `${CODE}SIGNATURE_INVALID`],
    ])
  })
})
