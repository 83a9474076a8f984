import { sql } from '@melmastoon/chassis/db'

/**
 * Writers about one hotel wait for each other here, also about a hotel that has no row yet. Whoever
 * is let in reads the other modules after everybody before him has written, so that what is written
 * last was also read last.
 */
export function lockProperty(propertyUuid: string) {
  return sql`select pg_advisory_xact_lock(hashtextextended('search:' || ${propertyUuid}::text, 0))`
}
