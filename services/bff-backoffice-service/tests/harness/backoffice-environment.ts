import { generateKeyPairSync } from 'node:crypto'
import { serviceContracts } from '@melmastoon/chassis/service'
import { fixedKeys, type TestEnvironment, testEnvironment, upstreamEnv } from '@melmastoon/testkit'
import { service } from '../../src/service.ts'

export const SERVICE_SECRET = 'the service-to-service secret of the tests'
export const contracts = serviceContracts(service)

/** A new key for every run: no test depends on its value. */
export const SYNC_KEY = JSON.stringify({
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid: 'test',
})

/** Nothing listens there. */
const NO_SERVICE = 'http://127.0.0.1:1'

const UPSTREAMS = [
  'iam',
  'tenant',
  'property',
  'inventory',
  'pricing',
  'reservation',
  'housekeeping',
  'maintenance',
  'billing',
  'lock',
  'notification',
  'ai',
  'sync',
]

/** Proofs name this address, wherever the tests' instance listens. */
export const PUBLIC_URL = 'https://backoffice.test/bff/backoffice/v1'
export const GATEWAY_URL = 'https://desk.test/api/bff/backoffice/v1'

/** The environment variables of this service only; upstreams are those of a sandbox. */
export function backofficeEnv({ url }: { readonly url: string }): Record<string, string> {
  return {
    ...upstreamEnv(`${url}/upstreams`, UPSTREAMS),
    SERVICE_SECRET,
    HASH_PEPPERS: fixedKeys('pepper'),
    PROOF_NONCE_KEYS: fixedKeys('nonce'),
    CURSOR_KEYS: fixedKeys('cursor'),
    SYNC_TOKEN_SIGNING_KEY: SYNC_KEY,
    PUBLIC_URLS: `${PUBLIC_URL},${GATEWAY_URL}`,
  }
}

/** A migrated database and two Redis scopes, for any number of processes. */
export function backofficeEnvironment(
  upstreams: { readonly url: string } = { url: NO_SERVICE },
): Promise<TestEnvironment> {
  return testEnvironment(service, backofficeEnv(upstreams))
}
