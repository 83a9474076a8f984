import { type Statement, sql } from '@melmastoon/chassis/db'
import type { HouseRow } from '../house.ts'
import { houseColumns } from './house-columns.ts'

/** Held to the end of the transaction: versions of a house, and their events, have one order. */
export function lockHouse(tenant: string, property: string): Statement<HouseRow> {
  return sql<HouseRow>`
    select ${houseColumns} from sandbox.property_house h
    where h.property_id = ${property}::uuid and h.tenant_id = ${tenant}::uuid
    for no key update of h`
}
