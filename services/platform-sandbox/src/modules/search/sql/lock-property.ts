import { sql } from '@melmastoon/chassis/db'

/**
 * Writers about one hotel wait for each other here, also about a hotel that has no row yet. Whoever
 * is let in reads the other modules after everybody before him has written, so that what is written
 * last was also read last.
 */
export function lockProperty(propertyUuid: string) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || ${propertyUuid}::text, 0))`
}

/** The same of many, in the order given: it must be the same for all who lock many. */
export function lockProperties(propertyUuids: readonly string[]) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || property, 0))
    from unnest(${propertyUuids}::text[]) as asked (property)`
}
