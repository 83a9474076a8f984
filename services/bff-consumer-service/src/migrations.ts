import { type Migration, readMigrations, sharedMigrations } from '@melmastoon/chassis/db'

export const CONSUMER_SCHEMA = 'bff_consumer'

/** No table belongs to a tenant here (domain model §8), so nothing is isolated by one. */
export async function consumerMigrations(): Promise<Migration[]> {
  const options = { schema: CONSUMER_SCHEMA, idempotencyIsolation: false }
  const own = await readMigrations(new URL('./migrations/', import.meta.url), options)
  return [...(await sharedMigrations(options)), ...own]
}
