import { type Statement, sql } from '@melmastoon/chassis/db'
import type { HouseRow } from '../house.ts'
import { houseColumns } from './house-columns.ts'

export function selectHouses(properties: readonly string[]): Statement<HouseRow> {
  return sql<HouseRow>`
    select ${houseColumns} from sandbox.property_house h
    where h.property_id = any (${properties}::uuid[])`
}

export interface HousePage {
  readonly tenant: string
  readonly after: string | null
  readonly rows: number
}

export function selectHousesOfTenant(page: HousePage): Statement<HouseRow> {
  return sql<HouseRow>`
    select ${houseColumns} from sandbox.property_house h
    where h.tenant_id = ${page.tenant}::uuid
      and (${page.after}::uuid is null or h.property_id > ${page.after}::uuid)
    order by h.property_id limit ${page.rows}`
}
