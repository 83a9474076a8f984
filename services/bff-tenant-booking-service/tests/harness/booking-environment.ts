import { serviceContracts } from '@melmastoon/chassis/service'
import { type TestEnvironment, testEnvironment } from '@melmastoon/testkit'
import { service } from '../../src/service.ts'

export const SERVICE_SECRET = 'the service-to-service secret of the tests'
export const WEBHOOK_SECRET = 'the webhook signing secret of the tests'
export const contracts = serviceContracts(service)

const ring = (text: string) => `k1:active:${Buffer.alloc(32, text).toString('base64url')}`

export const HANDOFF_KEYS = ring('handoff')

/** Nothing listens there. */
const NO_SERVICE = 'http://127.0.0.1:1'

/** The environment variables of this service only; upstreams are those of a sandbox. */
export function bookingEnv({ url }: { readonly url: string }): Record<string, string> {
  return {
    UPSTREAM_TENANT_URL: `${url}/upstreams/tenant`,
    UPSTREAM_THEME_URL: `${url}/upstreams/theme`,
    UPSTREAM_PROPERTY_URL: `${url}/upstreams/property`,
    UPSTREAM_INVENTORY_URL: `${url}/upstreams/inventory`,
    UPSTREAM_PRICING_URL: `${url}/upstreams/pricing`,
    UPSTREAM_RESERVATION_URL: `${url}/upstreams/reservation`,
    UPSTREAM_PAYMENT_URL: `${url}/upstreams/payment`,
    CONSUMER_INTERNAL_URL: NO_SERVICE,
    SERVICE_SECRET,
    HASH_PEPPERS: ring('pepper'),
    HANDOFF_KEYS,
    GUEST_DATA_KEYS: ring('guest data'),
    FULFILMENT_KEYS: ring('fulfilment'),
    CONFIRMATION_KEYS: ring('confirmation'),
    PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
    SITE_HOST_SUFFIXES: 'localhost',
    SITE_URL: 'http://{slug}.localhost:8082',
    SHARED_SITE_URL: 'http://localhost:8082/{slug}',
  }
}

/** A migrated database and two Redis scopes, for any number of processes. */
export function bookingEnvironment(
  upstreams: { readonly url: string } = { url: NO_SERVICE },
): Promise<TestEnvironment> {
  return testEnvironment(service, bookingEnv(upstreams))
}
