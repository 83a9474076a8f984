import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { createDatabase } from '@melmastoon/chassis/db'
import { newId, parseIsoDate, type TenantId } from '@melmastoon/domain'
import { startService } from '@melmastoon/testkit'
import {
  createStaffDevice,
  type StaffDevice,
  type StaffDeviceOptions,
} from '@melmastoon/testkit/staff-device'
import { iamContract } from '@melmastoon/upstream-contracts/iam'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { seedIam } from '../../src/modules/iam/seed-iam.ts'
import { seedOperators } from '../../src/modules/tenant/seed-operators.ts'
import { seedTenant } from '../../src/modules/tenant/seed-tenant.ts'
import { service } from '../../src/service.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { clientFor, sandboxEnvironment } from '../start-sandbox.ts'

/** A clock that a test can move, while time passes. */
export function movableClock(): Clock & { offsetMs: number } {
  const clock = {
    offsetMs: 0,
    now: () => new Date(clock.nowMs()),
    nowMs: () => systemClock.nowMs() + clock.offsetMs,
    monotonicMs: () => systemClock.monotonicMs(),
  }
  return clock
}

/** The sandbox with the staff of the detailed hotels, and nothing else. */
export async function startIam(env: Readonly<Record<string, string>> = {}) {
  const environment = await sandboxEnvironment(env)
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 2,
    onError: () => undefined,
  })
  const anchorDate = parseIsoDate('2026-11-16')
  const world = generateWorld({ seed: 'iam', anchorDate, properties: 0 })
  await seedTenant(db, world)
  await seedOperators(db, world)
  await seedIam(db, world)
  const clock = movableClock()
  const sandbox = await startService(service, environment.env, { clock })
  const { url } = sandbox
  const device = (options: Partial<StaffDeviceOptions> = {}) =>
    createStaffDevice({ iamUrl: url, now: () => clock.now(), ...options })
  return {
    url,
    environment,
    sandbox,
    clock,
    world,
    iam: clientFor(iamContract, url),
    tenant: clientFor(tenantContract, url),
    device,
    /** A new device that is signed in. */
    async signedIn(options: Partial<StaffDeviceOptions> = {}): Promise<StaffDevice> {
      const created = await device(options)
      await created.signIn()
      return created
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

export type RunningIam = Awaited<ReturnType<typeof startIam>>

export const own = (tenantId: TenantId) => ({ tenantId, idempotencyKey: newId('req') })
