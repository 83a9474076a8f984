import { serviceContracts } from '@melmastoon/chassis/service'
import { fixedKeys, type TestEnvironment, testEnvironment, upstreamEnv } from '@melmastoon/testkit'
import { service } from '../../src/service.ts'

export const SERVICE_SECRET = 'the service-to-service secret of the tests'
export const WEBHOOK_SECRET = 'the webhook signing secret of the tests'
export const contracts = serviceContracts(service)

export const HANDOFF_KEYS = fixedKeys('handoff')

/** Nothing listens there. */
const NO_SERVICE = 'http://127.0.0.1:1'

const UPSTREAMS = ['tenant', 'theme', 'property', 'inventory', 'pricing', 'reservation', 'payment']

/** The environment variables of this service only; upstreams are those of a sandbox. */
export function bookingEnv({ url }: { readonly url: string }): Record<string, string> {
  return {
    ...upstreamEnv(`${url}/upstreams`, UPSTREAMS),
    CONSUMER_INTERNAL_URL: NO_SERVICE,
    SERVICE_SECRET,
    HASH_PEPPERS: fixedKeys('pepper'),
    HANDOFF_KEYS,
    GUEST_DATA_KEYS: fixedKeys('guest data'),
    FULFILMENT_KEYS: fixedKeys('fulfilment'),
    CONFIRMATION_KEYS: fixedKeys('confirmation'),
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
