import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import { propertyUpdated } from '@melmastoon/platform-events'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { PropertyChange, PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import type { HouseRow, PropertyOperations } from './house.ts'
import { type HouseTexts, lockHouse, unknownAmenities, updateHouse } from './property-sql.ts'
import { readProperty } from './read-property.ts'

type Operation = PropertyOperations['updateProperty']

/** A change without effect creates no version and no event. */
export async function updateProperty(
  host: ModuleHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<PropertyDetail> {
  const { propertyId } = params
  const property = idToUuid(propertyId)
  return await host.db.transaction(async (tx) => {
    const [row] = await tx.query(lockHouse(idToUuid(call.tenantId), property))
    if (row === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
    rejectStale(row, body)
    await rejectUnknownAmenities(tx, body)
    const [before, after] = [textsOf(row), changed(row, body)]
    const reader = { db: tx, publicUrl: host.config.publicUrl }
    if (isDeepStrictEqual(before, after)) {
      return await call.finish(tx, await readProperty(reader, propertyId))
    }
    await tx.query(updateHouse(property, after))
    const detail = await readProperty(reader, propertyId)
    const { tenantId, version: propertyVersion, updatedAt } = detail
    const payload = { tenantId, propertyId, propertyVersion, updatedAt }
    await appendEvents(tx, [host.registry.build(propertyUpdated.subject, payload, call.cause)])
    return await call.finish(tx, detail)
  })
}

function rejectStale({ version }: HouseRow, { expectedVersion }: PropertyChange): void {
  if (expectedVersion === undefined || expectedVersion === version) return
  throw problem('MELMASTOON.GENERAL.CONFLICT', { extensions: { currentVersion: version } })
}

async function rejectUnknownAmenities(tx: Tx, { amenityCodes = [] }: PropertyChange) {
  const unknown = await tx.query(unknownAmenities(amenityCodes))
  if (unknown.length === 0) return
  const errors = unknown.map(({ code }) => ({
    pointer: `/amenityCodes/${amenityCodes.indexOf(code)}`,
    code: 'unknown',
    detail: 'is not an amenity of the platform',
  }))
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}

function textsOf({ name, description, amenity_codes, policies }: HouseRow): HouseTexts {
  return { name, description, amenity_codes, policies }
}

function changed(row: HouseRow, change: PropertyChange): HouseTexts {
  return {
    name: change.name ?? row.name,
    description: change.description ?? row.description,
    amenity_codes: change.amenityCodes ?? row.amenity_codes,
    policies: { ...row.policies, ...change.policies },
  }
}
