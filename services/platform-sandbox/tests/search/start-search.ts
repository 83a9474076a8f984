import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, type IsoDate, todayIn } from '@melmastoon/domain'
import { searchContract } from '@melmastoon/upstream-contracts/search'
import { seedInventory } from '../../src/modules/inventory/seed-inventory.ts'
import { seedPricing } from '../../src/modules/pricing/seed-pricing.ts'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import type { SearchRequest } from '../../src/modules/search/run-query.ts'
import { seedSearch } from '../../src/modules/search/seed-search.ts'
import { seedTenant } from '../../src/modules/tenant/seed-tenant.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { World } from '../../src/world/world.ts'
import {
  clientFor,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'

const TODAY = todayIn('UTC', new Date())

export function worldOf(properties: number, anchorDate = TODAY): World {
  return generateWorld({ seed: 'search', anchorDate, properties })
}

/** All modules that search reads from, seeded as by `npm start`. */
export async function seedWorld(environment: TestEnvironment, world: World): Promise<void> {
  await using db = createDatabase({ url: environment.relayUrl, poolMax: 2, onError: rethrow })
  await seedTenant(db, world)
  await seedProperty(db, world)
  await seedPricing(db, world)
  await seedInventory(db, world)
  await seedSearch(db, world)
}

function rethrow(error: unknown): never {
  throw error
}

export async function startSearch(world: World) {
  const environment = await sandboxEnvironment()
  await seedWorld(environment, world)
  const sandbox = await startSandbox(environment)
  return {
    environment,
    sandbox,
    url: sandbox.url,
    search: clientFor(searchContract, sandbox.url),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

const WHOLE_WORLD: SearchRequest['geo'] = {
  mode: 'bounding-box',
  boundingBox: { swLat: -90, swLng: -180, neLat: 90, neLng: 180 },
}

export function day(offset: number): IsoDate {
  return addDays(TODAY, offset)
}

export function requestOf(changes: Partial<SearchRequest> = {}): SearchRequest {
  return {
    geo: WHOLE_WORLD,
    stay: { checkIn: day(40), checkOut: day(42) },
    occupancy: { adults: 2, children: 0, rooms: 1 },
    filters: {},
    currency: 'USD',
    sortKey: 'recommended',
    limit: 20,
    ...changes,
  }
}
