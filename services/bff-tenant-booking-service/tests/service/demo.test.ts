import { consumerService } from '@melmastoon/bff-consumer-service'
import { spawnProcess, startService, type TestService, testEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingEnv, SERVICE_SECRET } from '../harness/booking-environment.ts'
import { type Booking, startWithSandbox } from '../harness/start-booking.ts'
import { startWebhookRelay, type WebhookRelay } from '../payments/webhook-relay.ts'

const DEMO = new URL('../../../../tools/demo/guest.ts', import.meta.url)
const TIMEOUT_MS = 90_000

let relay: WebhookRelay
let booking: Booking
let consumer: Pick<TestService<unknown>, 'url'> & AsyncDisposable

beforeAll(async () => {
  relay = await startWebhookRelay()
  booking = await startWithSandbox({ sandboxEnv: { PAYMENT_WEBHOOK_URL: relay.url } })
  relay.forwardTo(booking.service.url)
  consumer = await startConsumer(booking)
}, TIMEOUT_MS)
afterAll(async () => {
  await consumer[Symbol.asyncDispose]()
  await booking[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
})

/** The consumer service with the same sandbox and the same keys of handoffs. */
async function startConsumer({ sandbox }: Booking) {
  const environment = await testEnvironment(consumerService, {
    ...bookingEnv(sandbox),
    UPSTREAM_SEARCH_URL: `${sandbox.url}/upstreams/search`,
    BOOKING_SITE_URL: 'http://{slug}.localhost:8082/book',
  })
  const service = await startService(consumerService, environment.env)
  return {
    url: service.url,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

const run = (env: Readonly<Record<string, string>>) => spawnProcess(DEMO, { env })

it('the scripted bookings end confirmed, and the one that came too late refunded', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using guest = run({
    CONSUMER_URL: consumer.url,
    BOOKING_URL: booking.service.url,
    SANDBOX_URL: booking.sandbox.url,
    SERVICE_SECRET,
  })
  const { code } = await guest.exited
  const seen = guest.lines.join('\n')
  expect(code, seen).toBe(0)
  expect(seen.match(/confirmed, booking\.confirmed/g)?.length).toBeGreaterThanOrEqual(5)
  expect(seen).toContain('failed, booking.refunded.sold_out')
  expect(seen).toMatch(/Download the calendar file: \d{3,} characters/)
  expect(seen).toMatch(/Hold the room for \d+ s: bdr_\w+ \(\d+ ms\)/)
  expect(seen).toContain('Six bookings: five confirmed, one refunded')
})

it('says that nothing is running', async () => {
  const nobody = 'http://127.0.0.1:1'
  await using guest = run({ CONSUMER_URL: nobody, BOOKING_URL: nobody, SANDBOX_URL: nobody })
  expect(await guest.exited).toMatchObject({ code: 1 })
  expect(guest.lines.join('\n')).toContain('run npm start first')
})

it('exits with an error when a step fails', { timeout: TIMEOUT_MS }, async () => {
  await booking.sandbox.post('/admin/api/upstreams/pricing/break', { json: { kind: 'down' } })
  await using guest = run({
    CONSUMER_URL: consumer.url,
    BOOKING_URL: booking.service.url,
    SANDBOX_URL: booking.sandbox.url,
    SERVICE_SECRET,
  })
  expect(await guest.exited).toMatchObject({ code: 1 })
  expect(guest.lines.join('\n')).toContain('✗ ')
})
