import { sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

export interface KnownAvailability {
  /** The first night worth knowing: yesterday, which somewhere is still today. */
  yesterday: IsoDate
  first_night: IsoDate | null
  rooms_left: number[] | null
  rooms_total: number | null
}

export function findAvailability(propertyUuid: string) {
  return sql<KnownAvailability>`
    select (now() at time zone 'UTC')::date - 1 as yesterday, first_night, rooms_left, rooms_total
    from (values (${propertyUuid}::uuid)) as asked (property_id)
    left join sandbox.search_availability using (property_id)`
}
