import { randomBytes } from 'node:crypto'
import {
  createDatabase,
  type Database,
  fillPlaceholders,
  type Migration,
  sharedMigrations,
  sql,
} from '@melmastoon/chassis/db'
import { createIdempotency, type IdempotencyStore } from '@melmastoon/chassis/idempotency'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'

export const ISOLATED = 'idem_isolated'
export const OPEN = 'idem_open'

const NOTES = `
create table :schema.note (
  seq bigint generated always as identity primary key,
  tenant_id uuid,
  mark text not null,
  body text not null
);
grant select, insert on :schema.note to :app;
grant select, insert, update, delete on :schema.note to :relay;`

const NOTES_ISOLATION = `
alter table :schema.note enable row level security;
alter table :schema.note force row level security;
create policy note_tenant_isolation on :schema.note
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
create policy note_relay on :schema.note to :relay using (true) with check (true);`

async function migrationsOf(schema: string): Promise<Migration[]> {
  const idempotencyIsolation = schema === ISOLATED
  const shared = await sharedMigrations({ schema, idempotencyIsolation })
  const up = fillPlaceholders(idempotencyIsolation ? NOTES + NOTES_ISOLATION : NOTES, schema)
  return [...shared, { version: '0100_note', up }]
}

export interface Fixture extends AsyncDisposable {
  readonly schema: string
  readonly urls: TestDatabase
  readonly app: Database
  readonly relay: Database
  readonly admin: Database
  readonly store: IdempotencyStore
}

export const TEST_SECRET = randomBytes(32)

/** A separate database with the shared tables and one table of effects. */
export async function createFixture(schema: string): Promise<Fixture> {
  const urls = await testDatabase({ schema, migrations: await migrationsOf(schema) })
  const app = open(urls.appUrl, 10)
  const relay = open(urls.relayUrl, 2)
  const admin = open(urls.adminUrl, 2)
  return {
    schema,
    urls,
    app,
    relay,
    admin,
    store: createIdempotency({ db: app, schema, secret: TEST_SECRET }),
    async [Symbol.asyncDispose]() {
      for (const db of [app, relay, admin]) await db[Symbol.asyncDispose]()
      await urls[Symbol.asyncDispose]()
    },
  }
}

function open(url: string, poolMax: number): Database {
  return createDatabase({ url, poolMax, onError: () => undefined })
}

export interface NoteRow {
  readonly mark: string
  readonly body: string
}

export function allNotes({ admin, schema }: Fixture): Promise<NoteRow[]> {
  const statement =
    schema === ISOLATED
      ? sql<NoteRow>`select mark, body from idem_isolated.note order by seq`
      : sql<NoteRow>`select mark, body from idem_open.note order by seq`
  return admin.query<NoteRow>(statement)
}
