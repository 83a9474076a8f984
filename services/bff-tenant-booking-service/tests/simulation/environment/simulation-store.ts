import { createDatabase, type Database } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import { type TestEnvironment, testEnvironment } from '@melmastoon/testkit'
import { Client } from 'pg'
import { service } from '../../../src/service.ts'
import { bookingEnv } from '../../harness/booking-environment.ts'
import { type ObservedName, type ObservedRows, observeText } from './observed-rows.ts'

/** The real database of a test file; histories use it one after the other. */
export interface SimulationStore extends AsyncDisposable {
  readonly app: Database
  readonly relay: Database
  readonly schema: string
  /** The rows of a tenant in these tables, as they are in the database. */
  observe(tenantId: TenantId, names: readonly ObservedName[]): Promise<Partial<ObservedRows>>
  /** Deletes what the history before has written. */
  reset(): Promise<void>
  /** As the superuser. */
  execute(text: string): Promise<void>
}

const TABLES = [
  'booking_draft',
  'booking_fulfilment',
  'booking_payment_attempt',
  'booking_draft_snapshots',
  'idempotency',
  'inbox',
  'outbox',
]

/** Each role has one connection: one statement runs at a time. */
export async function openStore(): Promise<SimulationStore> {
  const environment = await testEnvironment(service, bookingEnv({ url: 'http://127.0.0.1:1' }))
  const { schema } = environment
  const connect = (url: string | undefined) =>
    createDatabase({ url: url ?? '', poolMax: 1, idleTimeoutMs: 0, onError: () => undefined })
  const app = connect(environment.env['DATABASE_APP_URL'])
  const relay = connect(environment.relayUrl)
  const admin = new Client({ connectionString: environment.adminUrl })
  await admin.connect()
  await admin.query(noOtherClock(schema))
  await admin.query(`set search_path = ${schema}`)
  const reset = TABLES.map((table) => `delete from ${schema}.${table}`).join(';')
  return {
    app,
    relay,
    schema,
    async observe(tenantId, names) {
      const text = observeText(names)
      const query = { name: `observe ${names.join(' ')}`, text, values: [idToUuid(tenantId)] }
      const { rows } = await admin.query<{ observed: Partial<ObservedRows> }>(query)
      return rows[0]?.observed ?? {}
    },
    reset: async () => void (await admin.query(reset)),
    execute: async (text) => void (await admin.query(text)),
    [Symbol.asyncDispose]: () => close({ environment, app, relay, admin }),
  }
}

/** A statement that reads another clock than the simulated one fails. */
function noOtherClock(schema: string): string {
  return `create or replace function ${schema}.booking_now() returns timestamptz
    language plpgsql volatile as $$ begin raise exception 'not the simulated time'; end $$`
}

async function close(open: {
  readonly environment: TestEnvironment
  readonly app: Database
  readonly relay: Database
  readonly admin: Client
}): Promise<void> {
  await Promise.all([open.app[Symbol.asyncDispose](), open.relay[Symbol.asyncDispose]()])
  await open.admin.end()
  await open.environment[Symbol.asyncDispose]()
}
