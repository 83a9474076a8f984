import type { UpstreamFault } from '@melmastoon/testkit'
import { closedCheck, createTestClock } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TenantBootstrap } from '../../src/bootstrap/bootstrap.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'

const MINUTE_MS = 60_000
const BUDGET_MS = 2_500
const FAULTS: readonly UpstreamFault[] = ['down', 'slow', 'wrong']
const check = closedCheck(TenantBootstrap)

const clock = createTestClock(new Date())
let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox({ withFaults: true, overrides: { clock } })
})
afterEach(() => booking.faults.clear())
afterAll(() => booking[Symbol.asyncDispose]())

const read = () => booking.site.browser().get('/bootstrap')

/** A complete response, as soon as the circuit breakers of the last test are closed. */
async function readGood() {
  await expect.poll(async () => (await coldly(read)).body['degraded']).toBe(false)
  return await read()
}

/** Responses of a process without anything in memory or Redis. */
async function coldly<T>(work: () => Promise<T>): Promise<T> {
  await booking.service.ctx.cache.invalidate(await tagsOfSite())
  return await work()
}

async function tagsOfSite(): Promise<string[]> {
  const { tenantId } = await booking.platform.tenant(SLUG)
  return [`tenant:${tenantId}`, `theme:${tenantId}`, `hotels:${tenantId}`]
}

const statusOf = (body: Record<string, unknown>, section: string) =>
  (body['sections'] as Record<string, { status: string }>)[section]?.status

describe.each<[string, string]>([
  ['theme', 'theme'],
  ['property', 'hotels'],
])('F-2 %s', (upstream, section) => {
  it.each(FAULTS)(
    '%s without a cached copy: the section is missing, the rest intact',
    async (fault) => {
      booking.faults.set(upstream, fault)
      const { status, body, durationMs } = await coldly(read)
      expect(status).toBe(200)
      expect(check(body)).toEqual([])
      expect(statusOf(body, section)).toBe('missing')
      expect(body['degraded']).toBe(true)
      expect(statusOf(body, 'tenant')).toBe('fresh')
      expect(durationMs).toBeLessThan(BUDGET_MS)
      booking.faults.clear()
      await expect.poll(async () => (await read()).body['degraded']).toBe(false)
    },
  )

  it.each(FAULTS)(
    '%s with a cached copy: the last good one for 30 minutes, marked',
    async (fault) => {
      const good = await coldly(read)
      expect(statusOf(good.body, section)).toBe('fresh')
      booking.faults.set(upstream, fault)
      clock.advance(6 * MINUTE_MS)
      const stale = await read()
      expect([stale.status, statusOf(stale.body, section)]).toEqual([200, 'stale'])
      expect(stale.headers.get('x-cache')).toBe('STALE')
      expect(stale.body['theme']).toEqual(good.body['theme'])
      clock.advance(31 * MINUTE_MS)
      expect(statusOf((await read()).body, section)).toBe('missing')
    },
  )
})

describe('F-1 the tenant service', () => {
  it.each(FAULTS)('%s: known sites keep working, unknown ones are unavailable', async (fault) => {
    await readGood()
    booking.faults.set('tenant', fault)
    clock.advance(6 * MINUTE_MS)
    const stale = await read()
    expect([stale.status, statusOf(stale.body, 'tenant')]).toEqual([200, 'stale'])
    const unknown = await booking.otherSite.browser().get('/policies')
    expect([unknown.status, unknown.body['code']]).toEqual([
      503,
      'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
    ])
    expect(unknown.durationMs).toBeLessThan(BUDGET_MS)
  })

  it('down for an hour: the slug is still resolved, later it is not', async () => {
    await readGood()
    booking.faults.set('tenant', 'down')
    clock.advance(61 * MINUTE_MS)
    const { body } = await booking.site.browser().get('/idempotency/a-key-of-no-request')
    expect(body['code']).toBe('MELMASTOON.SESSION.COOKIE_INVALID')
    clock.advance(70 * MINUTE_MS)
    const later = await booking.site.browser().get('/idempotency/a-key-of-no-request')
    expect(later.body['code']).toBe('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
  })
})
