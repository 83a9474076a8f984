import { type Statement, sql } from '@melmastoon/chassis/db'
import type { HouseRow } from '../house.ts'

export type HouseTexts = Pick<HouseRow, 'name' | 'description' | 'amenity_codes' | 'policies'>

/** Only under the lock of `lockHouse`. */
export function updateHouse(property: string, texts: HouseTexts): Statement<unknown> {
  return sql`
    update sandbox.property_house
    set name = ${texts.name}::jsonb, description = ${texts.description}::jsonb,
      amenity_codes = ${texts.amenity_codes}::text[], policies = ${texts.policies}::jsonb,
      version = version + 1, updated_at = clock_timestamp()
    where property_id = ${property}::uuid`
}
