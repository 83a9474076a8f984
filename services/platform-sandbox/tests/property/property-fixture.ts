import { createDatabase } from '@melmastoon/chassis/db'
import { parseIsoDate } from '@melmastoon/domain'
import { propertyContract } from '@melmastoon/upstream-contracts/property'
import { seedProperty } from '../../src/modules/property/seed-property.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { WorldProperty } from '../../src/world/world.ts'
import { clientFor, sandboxEnvironment, startSandbox } from '../start-sandbox.ts'

export const PUBLIC_URL = 'https://sandbox.example'

export const world = generateWorld({
  seed: 'property tests',
  anchorDate: parseIsoDate('2026-03-19'),
  properties: 30,
})

/** Houses only, without the data of other modules. */
export async function serveProperties() {
  const environment = await sandboxEnvironment({ PUBLIC_URL })
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError(error) {
      throw error
    },
  })
  await seedProperty(db, world)
  const sandbox = await startSandbox(environment)
  return {
    environment,
    url: sandbox.url,
    properties: clientFor(propertyContract, sandbox.url),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

export type Served = Awaited<ReturnType<typeof serveProperties>>

/** The first house of the tenant with this slug. */
export function houseOf(slug: string): WorldProperty {
  const tenant = world.tenants.find((each) => each.slug === slug)
  const house = world.properties.find(({ tenantId }) => tenantId === tenant?.tenantId)
  if (house === undefined) throw new TypeError(`no house of ${slug}`)
  return house
}
