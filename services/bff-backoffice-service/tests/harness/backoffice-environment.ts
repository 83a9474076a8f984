import { generateKeyPairSync } from 'node:crypto'
import { serviceContracts } from '@melmastoon/chassis/service'
import { type TestEnvironment, testEnvironment } from '@melmastoon/testkit'
import { service } from '../../src/service.ts'

export const SERVICE_SECRET = 'the service-to-service secret of the tests'
export const contracts = serviceContracts(service)

const ring = (text: string) => `k1:active:${Buffer.alloc(32, text).toString('base64url')}`

/** A new key for every run: no test depends on its value. */
export const SYNC_KEY = JSON.stringify({
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid: 'test',
})

/** Nothing listens there. */
const NO_SERVICE = 'http://127.0.0.1:1'

const UPSTREAMS = [
  'IAM',
  'TENANT',
  'PROPERTY',
  'INVENTORY',
  'PRICING',
  'RESERVATION',
  'HOUSEKEEPING',
  'MAINTENANCE',
  'BILLING',
  'LOCK',
  'NOTIFICATION',
  'AI',
  'SYNC',
]

/** Proofs name this address, wherever the tests' instance listens. */
export const PUBLIC_URL = 'https://backoffice.test/bff/backoffice/v1'
export const GATEWAY_URL = 'https://desk.test/api/bff/backoffice/v1'

/** The environment variables of this service only; upstreams are those of a sandbox. */
export function backofficeEnv({ url }: { readonly url: string }): Record<string, string> {
  const upstreams = UPSTREAMS.map((name) => [
    `UPSTREAM_${name}_URL`,
    `${url}/upstreams/${name.toLowerCase()}`,
  ])
  return {
    ...Object.fromEntries(upstreams),
    SERVICE_SECRET,
    HASH_PEPPERS: ring('pepper'),
    PROOF_NONCE_KEYS: ring('nonce'),
    CURSOR_KEYS: ring('cursor'),
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
