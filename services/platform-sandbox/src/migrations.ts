import { type Migration, readMigrations, sharedMigrations } from '@melmastoon/chassis/db'

export const SANDBOX_SCHEMA = 'sandbox'

/** Shared tables first, then one numbered block per module: 02xx tenant, 03xx theme and so on. */
export async function sandboxMigrations(): Promise<Migration[]> {
  const options = { schema: SANDBOX_SCHEMA, idempotencyIsolation: false }
  const own = await readMigrations(new URL('./migrations/', import.meta.url), options)
  return [...(await sharedMigrations(options)), ...own]
}
