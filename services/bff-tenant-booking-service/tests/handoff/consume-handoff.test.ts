import { readClientInfo } from '@melmastoon/bff/guests'
import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import type { TenantId } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionCookieName } from '../../src/sessions/session-cookie-name.ts'
import { startSession } from '../../src/sessions/start-session.ts'
import { HANDOFF_KEYS } from '../harness/booking-environment.ts'
import { type Booking, OTHER_SLUG, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { newHandoff, tokenOf } from './arrival-setup.ts'

const CODE = 'MELMASTOON.BFF.TENANT.HANDOFF_'
const ring = KeyRing.parse(HANDOFF_KEYS)
let booking: Booking
let tenantId: TenantId
let otherTenantId: TenantId

beforeAll(async () => {
  booking = await startWithSandbox()
  tenantId = (await booking.platform.tenant(SLUG)).tenantId
  otherTenantId = (await booking.platform.tenant(OTHER_SLUG)).tenantId
})
afterAll(() => booking[Symbol.asyncDispose]())

/** A guest with a session at the site of the tenant. */
async function newGuest(slug = SLUG) {
  const { ctx } = booking.service
  using deadline = createDeadline(10_000)
  const site = await ctx.sites.read({ kind: 'path', slug }, { deadline, trace: newTrace() })
  const client = readClientInfo({ headers: {}, ip: '203.0.113.7' })
  const { cookieValue } = startSession(ctx, { site, client, deviceClass: 'browser-mobile' })
  const guest = (slug === SLUG ? booking.site : booking.otherSite).browser()
  guest.cookies.set(sessionCookieName(site), cookieValue)
  return guest
}

const newToken = (to: TenantId, ageMs = 0) => tokenOf(newHandoff({ tenantId: to }), { ring, ageMs })

describe('POST /handoff/consume', () => {
  it('T3 prefills the first page, and a reload gets the same response', async () => {
    const guest = await newGuest()
    const handoff = newHandoff({ tenantId })
    const token = tokenOf(handoff, { ring })
    const first = await guest.post('/handoff/consume', { token })
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.body['payload']).toMatchObject({ propertyId: handoff.propertyId })
    const again = await guest.post('/handoff/consume', { token })
    expect([again.status, again.text]).toEqual([200, first.text])
    const other = await (await newGuest()).post('/handoff/consume', { token })
    expect([other.status, other.body['code']]).toEqual([409, `${CODE}REPLAYED`])
  })

  it('T3 rejects forged, expired and other tenants’ tokens, and requests without a session', async () => {
    const guest = await newGuest()
    const responses = [
      await guest.post('/handoff/consume', { token: `A${newToken(tenantId).slice(1)}` }),
      await guest.post('/handoff/consume', { token: newToken(tenantId, 32 * 60_000) }),
      await guest.post('/handoff/consume', { token: newToken(otherTenantId) }),
      await booking.site.browser().post('/handoff/consume', { token: newToken(tenantId) }),
      await guest.post('/handoff/consume', { token: '' }),
    ]
    expect(responses.map(({ status, body }) => [status, body['code']])).toEqual([
      [401, `${CODE}SIGNATURE_INVALID`],
      [410, `${CODE}EXPIRED`],
      [404, `${CODE}NOT_FOUND`],
      [401, 'MELMASTOON.SESSION.COOKIE_INVALID'],
      [400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'],
    ])
  })

  it('T3 GET and HEAD do not consume', async () => {
    const guest = await newGuest()
    const token = newToken(tenantId)
    for (const method of ['GET', 'HEAD']) {
      const { status } = await guest.send(method, `/handoff/consume?h=${token}`)
      expect([404, 405]).toContain(status)
    }
    expect((await guest.post('/handoff/consume', { token })).status).toBe(200)
  })
})
