import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import { platformRegistry, sessionRevoked } from '@melmastoon/platform-events'
import { eventually, send } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { subscriptions } from '../../src/subscriptions.ts'
import { sessionIdOf } from '../harness/site.ts'
import { type Booking, startWithSandbox } from '../harness/start-booking.ts'

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

it('T12 subscribes to the documented subjects and their other names (D19)', () => {
  const handlers = subscriptions.handlers(booking.service.ctx)
  const subjects = handlers.flatMap(({ definitions }) => definitions.map((each) => each.subject))
  expect(new Set(subjects)).toEqual(
    new Set([
      'melmastoon.theme.published.v1',
      'melmastoon.tenant.config_updated.v1',
      'melmastoon.tenant.suspended.v1',
      'melmastoon.tenant.reactivated.v1',
      'melmastoon.pricing.rate_plan.published.v1',
      'melmastoon.inventory.allocation.committed.v1',
      'melmastoon.inventory.allocation.confirmed.v1',
      'melmastoon.iam.session.revoked.v1',
    ]),
  )
  expect(subscriptions.name).toBe('bff-tenant-booking')
})

it('drops the loyalty context of a revoked session within a second, and of no other', async () => {
  await using other = await booking.startAnother()
  const [revoked, kept] = [await signedInSession(), await signedInSession()]
  const services = [booking.service, other]
  // As a request of the guest finds it, from the copy of the process while it is current.
  const loyaltyOf = async ({ session, cookie }: Awaited<ReturnType<typeof signedInSession>>) => {
    const { tenantId } = session.data
    const presented = { value: cookie, tenantId, initialData: () => session.data }
    const lookups = services.map(({ ctx }) => ctx.sessions.load(presented))
    return (await Promise.all(lookups)).map((lookup) =>
      lookup.kind === 'found' ? lookup.session.data.loyaltyContext : lookup.kind,
    )
  }
  const { loyaltyContext } = revoked.session.data
  expect(await loyaltyOf(revoked)).toEqual([loyaltyContext, loyaltyContext])
  await publishRevocation(revoked.session.id, revoked.session.data.tenantId)
  await eventually(async () => expect(await loyaltyOf(revoked)).toEqual([null, null]), {
    timeoutMs: 1_000,
  })
  expect(await loyaltyOf(kept)).not.toContain(null)
})

it('D32 moves messages that cannot be read to its dead letters, measures and replays them', async () => {
  const { ctx } = booking.service
  const subject = sessionRevoked.subject
  const name = `bff-tenant-dlq.${subject}`
  const message = { eventId: newId('evt'), subject, orderingKey: 'k', body: '{}', attributes: {} }
  await ctx.bus.publish([message])
  await eventually(async () => {
    expect(await ctx.bus.deadLetters?.depth(name)).toBe(1)
  })
  await eventually(
    async () => {
      const { text } = await send(booking.service.internalUrl, 'GET', '/metrics')
      expect(text).toContain(`bff_tenant_booking_dead_letters{subject="${subject}"} 1`)
    },
    { timeoutMs: 20_000 },
  )
  expect(await ctx.bus.deadLetters?.replay({ name, subject, limit: 10 })).toBe(1)
  // It is delivered again, and still cannot be read.
  await eventually(async () => {
    expect(await ctx.bus.deadLetters?.depth(name)).toBe(1)
  })
})

async function signedInSession() {
  const { sessions } = booking.service.ctx
  const guest = await booking.site.guest()
  await guest.post('/session/locale', { locale: 'ps-AF' })
  const session = await sessions.find(sessionIdOf(guest) as Parameters<typeof sessions.find>[0])
  if (session === null) throw new Error('the session was not stored')
  const changed = await sessions.update(session, (data) => ({
    ...data,
    loyaltyContext: { guestId: newId('gst') },
  }))
  if (changed === null) throw new Error('the session was cleared')
  const cookie = [...guest.cookies.values()].find((value) => value.startsWith('tnt_session'))
  return { session: changed, cookie: cookie ?? '' }
}

async function publishRevocation(
  sessionId: Parameters<Booking['service']['ctx']['sessions']['find']>[0],
  tenantId: Awaited<ReturnType<typeof signedInSession>>['session']['data']['tenantId'],
) {
  const revokedAt = new Date().toISOString()
  const payload = { tenantId, sessionId, subjectId: null, reasonCode: 'signed_out', revokedAt }
  const event = platformRegistry.build(sessionRevoked.subject, payload, {
    producerInstance: 'iam-test',
    tenantId,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: new Date(),
  })
  const { eventId, subject, orderingKey, envelope } = event
  const published = { ...envelope, publishedAt: revokedAt }
  const body = JSON.stringify({ envelope: published, payload })
  await booking.service.ctx.bus.publish([{ eventId, subject, orderingKey, body, attributes: {} }])
}
