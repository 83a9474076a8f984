import { rawSql, sql } from '@melmastoon/chassis/db'
import type { WorldProperty } from '../../world/world.ts'
import { type ChangeWindow, withinWindow } from './change-sql.ts'
import { MEAN_LIFE_SECONDS, type PopularityCounter } from './popularity.ts'

export interface ChangedPopularity {
  property_id: string
  base_score: number
  base_viewed_last_1h: number
  base_booked_last_24h: number
  viewed_1h: number
  viewed_7d: number
  booked_24h: number
  faded_at: Date
  updated_seq: number
}

export function selectPopularity(window: ChangeWindow) {
  return sql<ChangedPopularity>`
    select property_id, base_score, base_viewed_last_1h, base_booked_last_24h,
      viewed_1h, viewed_7d, booked_24h, faded_at, updated_seq
    from sandbox.search_popularity ${withinWindow(window)}`
}

const COUNTERS = Object.keys(MEAN_LIFE_SECONDS) as PopularityCounter[]

/** Decays the counters to the current time of the database and adds one. */
export function countPopularity(propertyUuid: string, counted: readonly PopularityCounter[]) {
  const more = (counter: PopularityCounter) => (counted.includes(counter) ? 1 : 0)
  const faded = COUNTERS.map((counter) => `${counter} = ${fade(counter)} + ${more(counter)}`)
  return sql`
    insert into sandbox.search_popularity as known (property_id, ${rawSql(COUNTERS.join(', '))})
    values (${propertyUuid}::uuid, ${rawSql(COUNTERS.map(more).join(', '))})
    on conflict (property_id) do update set ${rawSql(faded.join(', '))}, faded_at = now()`
}

/** Decays the counters of hotels without recent views. */
export function fadePopularity(limit: number) {
  const faded = COUNTERS.map((counter) => `${counter} = ${fade(counter)}`)
  return sql<{ property_id: string }>`
    update sandbox.search_popularity as known set ${rawSql(faded.join(', '))}, faded_at = now()
    where property_id in (
      select property_id from sandbox.search_popularity
      where viewed_7d + booked_24h > 0.5 and faded_at < now() - interval '1 hour'
      order by faded_at limit ${limit}::int for update skip locked)
    returning property_id`
}

function fade(counter: PopularityCounter): string {
  const elapsed = 'extract(epoch from now() - known.faded_at)'
  const exponent = `greatest(-100, -${elapsed}::float8 / ${MEAN_LIFE_SECONDS[counter]})`
  return `known.${counter} * exp(least(0, ${exponent}))`
}

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
