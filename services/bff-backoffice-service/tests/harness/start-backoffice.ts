import { demoWorld, sandboxService } from '@melmastoon/platform-sandbox'
import {
  joinServices,
  startSeededService,
  startWatchedService,
  type TestEnvironment,
} from '@melmastoon/testkit'
import type { ContextOverrides } from '../../src/context.ts'
import { service } from '../../src/service.ts'
import { backofficeEnv, backofficeEnvironment, SERVICE_SECRET } from './backoffice-environment.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

/** Hotels of the demo world that tests use: two tenants that share nothing. */
export const SLUG = 'creek-pearl'
export const OTHER_SLUG = 'margalla-view'

/** An instance in this process; several may share an environment. */
export function startBackoffice(
  { env }: Pick<TestEnvironment, 'env'>,
  overrides: ContextOverrides = {},
) {
  return startWatchedService(service, env, { halfOpenAfterMs: 150, ...overrides })
}

/** Every request needs these two, and on a busy machine the first one is slow. */
const PATIENT_MS = { iam: 5_000, tenant: 5_000 }

export interface BackofficeOptions {
  readonly sandboxEnv?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly overrides?: ContextOverrides
  /** Of the demo world; `melmastoon` is that of `npm start`. */
  readonly worldSeed?: string
  /** Calls upstreams through a proxy in which a test can break them: `office.faults`. */
  readonly withFaults?: boolean
}

/** The sandbox and the service, with their own databases and one event bus. */
export async function startWithSandbox(options: BackofficeOptions = {}) {
  const { sandboxEnv, env, overrides, worldSeed = 'staff', withFaults = false } = options
  const environment = await backofficeEnvironment()
  const sandbox = await startSeededService(sandboxService, {
    redis: environment.redis,
    env: { SERVICE_SECRET, WEBHOOK_SECRET: SERVICE_SECRET, ...sandboxEnv },
    // Only the hotels that are described by hand: they have staff, stays and rooms.
    seed: demoWorld(worldSeed),
  })
  const patient = { ...overrides, upstreamMs: { ...PATIENT_MS, ...overrides?.upstreamMs } }
  const joined = await joinServices({
    environment,
    sandbox,
    withFaults,
    envOf: (upstreams) => ({ ...backofficeEnv(upstreams), ...env }),
    start: (serviceEnv) => startBackoffice({ env: serviceEnv }, patient),
    entry: ENTRY,
  })
  return {
    ...joined,
    /** Another instance on the same databases, in this process. */
    startAnother: (more: ContextOverrides = {}) => startBackoffice(joined, { ...patient, ...more }),
  }
}

export type Backoffice = Awaited<ReturnType<typeof startWithSandbox>>
