import { type Migration, sharedMigrations } from '@melmastoon/chassis/db'

export const CONSUMER_SCHEMA = 'bff_consumer'

/** No table belongs to a tenant here (domain model §8), so nothing is isolated by one. */
export function consumerMigrations(): Promise<Migration[]> {
  return sharedMigrations({ schema: CONSUMER_SCHEMA, idempotencyIsolation: false })
}
