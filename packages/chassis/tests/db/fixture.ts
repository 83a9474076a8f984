import {
  createDatabase,
  type Database,
  fillPlaceholders,
  type Migration,
  type Statement,
  sharedMigrations,
  sql,
} from '@melmastoon/chassis/db'
import { idToUuid, isProblem, newId, type TenantId } from '@melmastoon/domain'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'
import { Client } from 'pg'

export const SCHEMA = 'chassis_db'

/** A typical table of a service: rows of tenants, with the tenant first in the key. */
export const notes: Migration = {
  version: '0100_notes',
  up: fillPlaceholders(
    `create table if not exists :schema.notes (
       tenant_id uuid not null,
       id uuid not null default gen_random_uuid(),
       body text not null default '',
       primary key (tenant_id, id));
     alter table :schema.notes enable row level security;
     alter table :schema.notes force row level security;
     drop policy if exists notes_tenant_isolation on :schema.notes;
     create policy notes_tenant_isolation on :schema.notes
       using (tenant_id = (select :schema.current_tenant()))
       with check (tenant_id = (select :schema.current_tenant()));
     drop policy if exists notes_relay on :schema.notes;
     create policy notes_relay on :schema.notes to :relay using (true) with check (true);
     grant select, insert, update, delete on :schema.notes to :app;
     grant select, delete on :schema.notes to :relay;`,
    SCHEMA,
  ),
  down: fillPlaceholders('drop table :schema.notes', SCHEMA),
}

export async function noteMigrations(): Promise<Migration[]> {
  return [...(await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })), notes]
}

export async function notesDatabase(): Promise<TestDatabase> {
  return testDatabase({ schema: SCHEMA, migrations: await noteMigrations() })
}

export interface OpenOptions {
  readonly poolMax?: number
  readonly poolMin?: number
  readonly idleTimeoutMs?: number
  readonly preparedStatements?: boolean
  readonly onError?: (error: unknown) => void
  readonly responseTimeoutMs?: number
  readonly connectTimeoutMs?: number
}

export function open(url: string, options: OpenOptions = {}): Database {
  return createDatabase({ url, poolMax: 4, onError: () => undefined, ...options })
}

export interface NoteRow {
  readonly tenant_id: string
  readonly id: string
  readonly body: string
}

export function allNotes(): Statement<NoteRow> {
  return sql<NoteRow>`select tenant_id, id, body from notes`
}

export function insertNote(tenantId: TenantId, body: string): Statement<{ id: string }> {
  return sql<{ id: string }>`
    insert into notes (tenant_id, body) values (${idToUuid(tenantId)}, ${body}) returning id`
}

export function newTenants(count: number): TenantId[] {
  return Array.from({ length: count }, () => newId('tnt'))
}

/** The problem code or the error's class name of a promise that must reject. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (isProblem(error)) return error.code
    return error instanceof Error ? error.constructor.name : 'not an error'
  }
  return 'no failure'
}

export async function asAdmin<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function terminate(adminUrl: string, pid: number): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query('select pg_terminate_backend($1, 2000)', [pid]))
}
