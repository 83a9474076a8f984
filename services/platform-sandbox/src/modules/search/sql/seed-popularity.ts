import { sql } from '@melmastoon/chassis/db'
import type { WorldProperty } from '../../../world/world.ts'

export interface SeedPopularity {
  readonly propertyUuid: string
  readonly popularity: WorldProperty['popularity']
}

export function seedPopularity(rows: readonly SeedPopularity[]) {
  return sql`
    insert into sandbox.search_popularity
      (property_id, base_score, base_viewed_last_1h, base_booked_last_24h)
    select * from unnest(
      ${rows.map(({ propertyUuid }) => propertyUuid)}::uuid[],
      ${rows.map(({ popularity }) => popularity.score)}::double precision[],
      ${rows.map(({ popularity }) => popularity.viewedLast1h)}::integer[],
      ${rows.map(({ popularity }) => popularity.bookedLast24h)}::integer[])
    on conflict (property_id) do nothing`
}
