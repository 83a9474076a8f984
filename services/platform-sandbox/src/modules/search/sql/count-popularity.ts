import { rawSql, sql } from '@melmastoon/chassis/db'
import { MEAN_LIFE_SECONDS, type PopularityCounter } from '../popularity.ts'

const COUNTERS = Object.keys(MEAN_LIFE_SECONDS) as PopularityCounter[]

/** Fades what was counted before, by the database's clock, and counts one more. */
export function countPopularity(propertyUuid: string, counted: readonly PopularityCounter[]) {
  const more = (counter: PopularityCounter) => (counted.includes(counter) ? 1 : 0)
  const faded = COUNTERS.map((counter) => `${counter} = ${fade(counter)} + ${more(counter)}`)
  return sql`
    insert into sandbox.search_popularity as known (property_id, ${rawSql(COUNTERS.join(', '))})
    values (${propertyUuid}::uuid, ${rawSql(COUNTERS.map(more).join(', '))})
    on conflict (property_id) do update set ${rawSql(faded.join(', '))}, faded_at = now()`
}

/** So that what nobody looks at any more also sinks. */
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
