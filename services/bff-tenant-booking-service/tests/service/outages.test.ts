import { type DedicatedEnvironment, dedicatedEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { createSite } from '../harness/site.ts'
import { type Booking, SLUG, startBooking, startWithSandbox } from '../harness/start-booking.ts'

let booking: Booking
let servers: DedicatedEnvironment
beforeAll(async () => {
  booking = await startWithSandbox()
  servers = await dedicatedEnvironment(service, ownServers(booking.env))
})
afterAll(async () => {
  await servers[Symbol.asyncDispose]()
  await booking[Symbol.asyncDispose]()
})

/** Without the addresses of the shared servers. */
function ownServers(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(DATABASE|REDIS)_.*URL$/.test(name)),
  )
}

describe('D25 without both Redis', () => {
  it('a guest keeps the session, loads the site and finds requests', async () => {
    await using running = await startBooking(servers)
    const site = createSite(running.url, SLUG)
    const guest = await site.guest()
    await Promise.all(servers.redisServers.map((server) => server.stop()))
    const loaded = await guest.get('/bootstrap')
    expect([loaded.status, loaded.headers.get('set-cookie')]).toEqual([200, null])
    const key = await guest.get('/idempotency/a-key-of-no-request')
    expect([key.status, key.body['code']]).toEqual([404, 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'])
    const changed = await guest.post('/session/locale', { locale: 'ps-AF' })
    expect([changed.status, changed.body['retriable']]).toEqual([503, true])
  })
})
