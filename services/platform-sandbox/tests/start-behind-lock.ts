import { eventually } from '@melmastoon/testkit'
import { Client } from 'pg'
import { expect } from 'vitest'
import { type TestEnvironment } from './start-sandbox.ts'

/**
 * Locks the rows that a `for update` statement selects, starts the calls, and releases the lock
 * once `waiting` of them wait for it: from then on they run concurrently.
 */
export async function startBehindLock<T>(
  environment: TestEnvironment,
  { lock, waiting }: { lock: string; waiting: number },
  start: () => readonly Promise<T>[],
): Promise<readonly Promise<T>[]> {
  const client = new Client({ connectionString: environment.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(lock)
    const calls = start()
    await eventually(async () => expect(await countWaiting(environment)).toBe(waiting))
    await client.query('rollback')
    return calls
  } finally {
    await client.end()
  }
}

/** On a separate connection: within a transaction the result would never change. */
async function countWaiting(environment: TestEnvironment): Promise<number> {
  const [row] = await environment.query<{
    n: number
  }>(`select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.n ?? 0
}
