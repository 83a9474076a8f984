import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LimitName } from '../../src/limits/create-limits.ts'
import { type Booking, startWithSandbox } from '../harness/start-booking.ts'

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

/** Another instance in which one limit is five requests. */
const limitedBy = (name: LimitName) =>
  booking.startAnother({
    policies: { [name]: { name: `${name}-five`, limit: 5, periodSeconds: 60 } },
  })

const statuses = async (send: () => Promise<{ status: number }>, count: number) => {
  const found: number[] = []
  for (let sent = 0; sent < count; sent += 1) found.push((await send()).status)
  return found
}

const FIVE = [200, 200, 200, 200, 200]

describe('limits', () => {
  it('of a session do not affect another session at the same address', async () => {
    await using service = await limitedBy('change')
    const site = booking.site.at(service.url)
    const guest = await site.guest()
    const set = () => guest.post('/session/locale', { locale: 'ps-AF' })
    expect(await statuses(set, 6)).toEqual([...FIVE, 429])
    const { headers, body } = await set()
    expect(body['code']).toBe('MELMASTOON.GENERAL.RATE_LIMITED')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await guest.get('/policies')).status).toBe(200)
    const other = await site.guest()
    expect((await other.post('/session/locale', { locale: 'ps-AF' })).status).toBe(200)
  })

  it('of a guest without a session are those of the address', async () => {
    await using service = await limitedBy('read')
    const site = booking.site.at(service.url)
    const read = () => site.browser().get('/policies')
    expect(await statuses(read, 6)).toEqual([...FIVE, 429])
    expect((await booking.otherSite.at(service.url).browser().get('/policies')).status).toBe(200)
  })

  it('of a tenant do not affect another tenant', async () => {
    await using service = await limitedBy('tenant')
    const site = booking.site.at(service.url)
    const read = async () => (await site.browser().get('/policies')).status
    await expect.poll(() => read()).toBe(429)
    expect((await booking.otherSite.at(service.url).browser().get('/policies')).status).toBe(200)
  })
})
