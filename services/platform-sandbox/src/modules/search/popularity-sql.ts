import { rawSql, sql } from '@melmastoon/chassis/db'
import type { WorldProperty } from '../../world/world.ts'
import { CHANGES_TOPIC, type ChangedRow, type ChangeWindow, withinWindow } from './change-sql.ts'
import { MEAN_LIFE_SECONDS, type PopularityCounter } from './popularity.ts'

export interface ChangedPopularity extends ChangedRow {
  property_id: string
  base_score: number
  base_viewed_last_1h: number
  viewed_1h: number
  viewed_7d: number
  booked_at: Date[]
  faded_at: Date
}

export function selectPopularity(window: ChangeWindow) {
  return sql<ChangedPopularity>`
    select property_id, base_score, base_viewed_last_1h, viewed_1h, viewed_7d, booked_at, faded_at,
      property_id as row_key, updated_seq
    from sandbox.search_popularity ${withinWindow(window, 'property_id')}`
}

const COUNTERS = Object.keys(MEAN_LIFE_SECONDS) as PopularityCounter[]

/** Decays the counters to the current time of the database and adds one. */
export function countPopularity(propertyUuid: string, counted: readonly PopularityCounter[]) {
  const more = (counter: PopularityCounter) => (counted.includes(counter) ? 1 : 0)
  const faded = COUNTERS.map((counter) => `${counter} = ${fade(counter)} + ${more(counter)}`)
  return sql`
    insert into sandbox.search_popularity as known (property_id, ${rawSql(COUNTERS.join(', '))})
    values (${propertyUuid}::uuid, ${rawSql(COUNTERS.map(more).join(', '))})
    on conflict (property_id) do update
      set ${rawSql(faded.join(', '))}, faded_at = now()`.announcing(CHANGES_TOPIC)
}

/** Decays the counters of hotels without recent views. */
export function fadePopularity(limit: number) {
  const faded = COUNTERS.map((counter) => `${counter} = ${fade(counter)}`)
  return sql<{ property_id: string }>`
    update sandbox.search_popularity as known set ${rawSql(faded.join(', '))}, faded_at = now()
    where property_id in (
      select property_id from sandbox.search_popularity
      where viewed_7d > 0.5 and faded_at < now() - interval '1 hour'
      order by faded_at limit ${limit}::int for update skip locked)
    returning property_id`
}

function fade(counter: PopularityCounter): string {
  const elapsed = 'extract(epoch from now() - known.faded_at)'
  const exponent = `greatest(-100, -${elapsed}::float8 / ${MEAN_LIFE_SECONDS[counter]})`
  return `known.${counter} * exp(least(0, ${exponent}))`
}

/** Older bookings than this are not counted any more. */
const BOOKINGS_MAX = 1_000

/** Adds a booking, and removes those that are more than a day old. */
export function countBooking(propertyUuid: string) {
  return sql`
    insert into sandbox.search_popularity as known (property_id, booked_at)
    values (${propertyUuid}::uuid, array[now()])
    on conflict (property_id) do update set booked_at = array(
      select at from unnest(known.booked_at) as at where at > now() - interval '24 hours'
      order by at desc limit ${BOOKINGS_MAX - 1}::int) || now()`.announcing(CHANGES_TOPIC)
}

export interface SeedPopularity {
  readonly propertyUuid: string
  readonly popularity: WorldProperty['popularity']
  /** Of the last day, in the text format of arrays. */
  readonly bookedAt: string
}

/** The number of views stays what it is. */
export function seedPopularity(rows: readonly SeedPopularity[]) {
  return sql`
    insert into sandbox.search_popularity as known
      (property_id, base_score, base_viewed_last_1h, booked_at)
    select r.property_id, r.score, r.viewed, r.booked_at::timestamptz[]
    from unnest(
      ${rows.map(({ propertyUuid }) => propertyUuid)}::uuid[],
      ${rows.map(({ popularity }) => popularity.score)}::double precision[],
      ${rows.map(({ popularity }) => popularity.viewedLast1h)}::integer[],
      ${rows.map(({ bookedAt }) => bookedAt)}::text[]
    ) as r (property_id, score, viewed, booked_at)
    on conflict (property_id) do update set booked_at = excluded.booked_at
      where not known.booked_at @> excluded.booked_at`
}
