import { type Migration, readMigrations, sharedMigrations } from '@melmastoon/chassis/db'

export const EXAMPLE_SCHEMA = 'example'

export async function exampleMigrations(): Promise<Migration[]> {
  const options = { schema: EXAMPLE_SCHEMA, idempotencyIsolation: true }
  const own = await readMigrations(new URL('./migrations/', import.meta.url), options)
  return [...(await sharedMigrations(options)), ...own]
}
