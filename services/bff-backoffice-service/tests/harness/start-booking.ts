import { bookingService } from '@melmastoon/bff-tenant-booking-service'
import { type Browser, createBrowser, startService, testEnvironment } from '@melmastoon/testkit'
import { SERVICE_SECRET } from './backoffice-environment.ts'
import { SLUG } from './start-backoffice.ts'

const UPSTREAMS = [
  'TENANT',
  'THEME',
  'PROPERTY',
  'INVENTORY',
  'PRICING',
  'RESERVATION',
  'PAYMENT',
] as const
/** Nothing listens there: the guest did not arrive by a handoff. */
const NO_SERVICE = 'http://127.0.0.1:1'
const PATIENT_MS = 5_000

const ring = (text: string) => `k1:active:${Buffer.alloc(32, text).toString('base64url')}`

/**
 * The booking service next to the back office: it shares the platform services with it, and neither
 * a database nor Redis.
 */
export async function startBookingNextTo(sandbox: { readonly url: string }) {
  const upstreams = UPSTREAMS.map((name) => [
    `UPSTREAM_${name}_URL`,
    `${sandbox.url}/upstreams/${name.toLowerCase()}`,
  ])
  const environment = await testEnvironment(bookingService, {
    ...Object.fromEntries(upstreams),
    CONSUMER_INTERNAL_URL: NO_SERVICE,
    SERVICE_SECRET,
    PAYMENT_WEBHOOK_SECRET: SERVICE_SECRET,
    HASH_PEPPERS: ring('pepper'),
    HANDOFF_KEYS: ring('handoff'),
    GUEST_DATA_KEYS: ring('guest data'),
    FULFILMENT_KEYS: ring('fulfilment'),
    CONFIRMATION_KEYS: ring('confirmation'),
    SITE_HOST_SUFFIXES: 'localhost',
    SITE_URL: 'http://{slug}.localhost:8082',
    SHARED_SITE_URL: 'http://localhost:8082/{slug}',
  })
  const names = UPSTREAMS.map((name) => [name.toLowerCase(), PATIENT_MS])
  const service = await startService(bookingService, environment.env, {
    upstreamMs: Object.fromEntries(names),
  })
  return {
    /** The site of the demo hotel, with a session. */
    async guest(): Promise<Browser> {
      const base = `/bff/tenant-booking/v1/${SLUG}`
      const guest = createBrowser({ url: service.url, base, headers: {} })
      const { status, text } = await guest.get('/bootstrap')
      if (status !== 200) throw new Error(`bootstrap returned ${status}: ${text}`)
      return guest
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}
