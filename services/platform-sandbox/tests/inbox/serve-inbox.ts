import { systemClock } from '@melmastoon/chassis/clock'
import { createDatabase } from '@melmastoon/chassis/db'
import { newId, todayIn } from '@melmastoon/domain'
import type { Contract, Operations } from '@melmastoon/upstream-contracts'
import { seedAi } from '../../src/modules/ai/seed-ai.ts'
import { seedInventory } from '../../src/modules/inventory/seed-inventory.ts'
import { seedNotification } from '../../src/modules/notification/seed-notification.ts'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { seedTenant } from '../../src/modules/tenant/seed-tenant.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'
import { clientFor, sandboxEnvironment, startSandbox } from '../start-sandbox.ts'

const ANCHOR = todayIn('Asia/Kabul', systemClock.now())

/** The sandbox with the detailed hotels of two tenants, their alerts and suggestions. */
export async function serveInbox(env: Readonly<Record<string, string>> = {}) {
  const world = smallWorld()
  const environment = await sandboxEnvironment(env)
  await using db = createDatabase({ url: environment.relayUrl, poolMax: 1, onError: fail })
  for (const seed of [seedTenant, seedProperty, seedInventory, seedNotification, seedAi]) {
    await seed(db, world)
  }
  const sandbox = await startSandbox(environment)
  const [hotel, foreign] = world.properties
  if (hotel === undefined || foreign === undefined) throw new TypeError('the world has no hotels')
  return {
    environment,
    world,
    url: sandbox.url,
    hotel,
    /** A hotel of another tenant. */
    foreign,
    client: <O extends Operations>(contract: Contract<O>, scenario?: string) =>
      clientFor(contract, sandbox.url, scenario === undefined ? {} : { scenario }),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

export type Inbox = Awaited<ReturnType<typeof serveInbox>>

export function newActor() {
  return { operatorId: newId('opr'), deviceId: newId('dev') }
}

/** One hotel each of two detailed tenants: seeding all takes seconds. */
function smallWorld(): World {
  const world = generateWorld({ seed: 'inbox tests', anchorDate: ANCHOR, properties: 0 })
  const tenants = world.tenants.filter(({ isRich }) => isRich).slice(0, 2)
  const properties = tenants.flatMap(({ tenantId }) =>
    world.properties.filter((property) => property.tenantId === tenantId).slice(0, 1),
  )
  const isKept = ({ propertyId }: Pick<WorldProperty, 'propertyId'>) =>
    properties.some((property) => property.propertyId === propertyId)
  return { ...world, tenants, properties, stays: world.stays.filter(isKept) }
}

function fail(error: unknown): never {
  throw error
}
