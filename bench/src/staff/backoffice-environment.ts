import { generateKeyPairSync } from 'node:crypto'
import { backofficeService } from '@melmastoon/bff-backoffice-service'
import { fixedKeys, upstreamEnv } from '@melmastoon/testkit/service-env'
import { LOAD_CORE } from '../harness/cores.ts'
import type { PageServer } from '../harness/page-server.ts'
import type { BenchWorld } from '../harness/row.ts'
import { startWorker, type Worker } from '../harness/worker.ts'
import type { Upstreams } from '../rows/booking/booking-environment.ts'
import type { StartBackoffice } from './backoffice-server.ts'
import { PUBLIC_URL } from './signing-device.ts'

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

const syncKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })

/** The environment of any number of instances that share a database. */
export async function backofficeEnv(
  world: BenchWorld,
  { url, secret }: Upstreams,
): Promise<Record<string, string>> {
  return {
    ...(await world.serviceEnv(backofficeService)),
    ...upstreamEnv(`${url}/upstreams`, UPSTREAMS),
    SERVICE_SECRET: secret,
    IDEMPOTENCY_SECRET: secret,
    HASH_PEPPERS: fixedKeys(1),
    PROOF_NONCE_KEYS: fixedKeys(2),
    CURSOR_KEYS: fixedKeys(3),
    SYNC_TOKEN_SIGNING_KEY: JSON.stringify({ ...syncKey, kid: 'bench' }),
    LAKE_DIR: world.folder('lake'),
    PUBLIC_URLS: PUBLIC_URL,
  }
}

export interface BackofficeServer extends PageServer {
  readonly internalUrl: string
  readonly worker: Worker
}

export async function startBackoffice(
  env: Readonly<Record<string, string>>,
  options: StartBackoffice & { readonly exposesGc?: boolean } = {},
): Promise<BackofficeServer> {
  const { exposesGc = false, ...start } = options
  const nodeArgs = exposesGc ? ['--expose-gc'] : []
  const worker = startWorker(new URL('./backoffice-server.ts', import.meta.url), { env, nodeArgs })
  const listening = (await worker.run('start', start)) as { url: string; internalUrl: string }
  return {
    ...listening,
    worker,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}

/** The process that signs in devices and sends their requests. */
export function startStaffLoad(): Worker {
  return startWorker(new URL('./staff-load.ts', import.meta.url), { core: LOAD_CORE })
}
