import { demoWorld, sandboxService } from '@melmastoon/platform-sandbox'
import {
  joinServices,
  startSeededService,
  startWatchedService,
  type TestEnvironment,
} from '@melmastoon/testkit'
import type { ContextOverrides } from '../../src/context.ts'
import { service } from '../../src/service.ts'
import {
  bookingEnv,
  bookingEnvironment,
  SERVICE_SECRET,
  WEBHOOK_SECRET,
} from './booking-environment.ts'
import { createPlatform } from './platform.ts'
import { createSite } from './site.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

/** Hotels of the demo world that tests use: two tenants that share nothing. */
export const SLUG = 'creek-pearl'
export const OTHER_SLUG = 'margalla-view'

const unlimited = (name: string) => ({ name, limit: 1_000_000, periodSeconds: 1 })

/** Most tests send many requests from one address, and are not limited. */
const UNLIMITED = {
  read: unlimited('read'),
  change: unlimited('change'),
  address: unlimited('address'),
  tenant: unlimited('tenant'),
  tenantFlashSale: unlimited('tenant-flash-sale'),
}

/** Time limits of upstream calls on a busy machine, for tests of something else. */
export const PATIENT = {
  tenant: 5_000,
  theme: 5_000,
  property: 5_000,
  inventory: 5_000,
  pricing: 5_000,
  reservation: 5_000,
  payment: 5_000,
}

/** An instance in this process; several may share an environment. */
export function startBooking(
  { env }: Pick<TestEnvironment, 'env'>,
  overrides: ContextOverrides = {},
) {
  return startWatchedService(service, env, {
    halfOpenAfterMs: 150,
    flagPollMs: 50,
    ...overrides,
    policies: { ...UNLIMITED, ...overrides.policies },
  })
}

export type RunningBooking = Awaited<ReturnType<typeof startBooking>>

export interface BookingOptions {
  /** Additional variables of the sandbox, for example `HOLD_SECONDS`. */
  readonly sandboxEnv?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly overrides?: ContextOverrides
  /** Calls upstreams through a proxy in which a test can break them: `booking.faults`. */
  readonly withFaults?: boolean
  /** Of the world: another one has other ids. */
  readonly worldSeed?: string
  /** Instead of a database and Redis scopes on the servers that all tests share. */
  readonly environment?: TestEnvironment
}

/**
 * The sandbox and the service, with their own databases and one event bus:
 * `await using booking = await startWithSandbox()`, `const guest = await booking.site.guest()`.
 */
export async function startWithSandbox(options: BookingOptions = {}) {
  const { sandboxEnv, env, overrides, withFaults = false, worldSeed = 'guests' } = options
  const environment = options.environment ?? (await bookingEnvironment())
  const sandbox = await startSeededService(sandboxService, {
    redis: environment.redis,
    env: { SERVICE_SECRET, WEBHOOK_SECRET, ...sandboxEnv },
    // Only the hotels that are described by hand: they have every kind of room and rate.
    seed: demoWorld(worldSeed),
  })
  const joined = await joinServices({
    environment,
    sandbox,
    withFaults,
    envOf: (upstreams) => ({ ...bookingEnv(upstreams), ...env }),
    start: (serviceEnv) => startBooking({ env: serviceEnv }, overrides),
    entry: ENTRY,
  })
  const { url } = joined.service
  return {
    ...joined,
    platform: createPlatform(sandbox.url),
    site: createSite(url, SLUG),
    otherSite: createSite(url, OTHER_SLUG),
    /** Another instance on the same databases, in this process. */
    startAnother: (more: ContextOverrides = {}, env: Readonly<Record<string, string>> = {}) =>
      startBooking({ env: { ...joined.env, ...env } }, { ...overrides, ...more }),
  }
}

export type Booking = Awaited<ReturnType<typeof startWithSandbox>>
