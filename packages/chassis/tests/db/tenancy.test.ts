import { type Queryable, type Statement, sql, sqlStateOf } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import type { TestDatabase } from '@melmastoon/testkit'
import { type TenancyOptions, tenancyFindings, tenantTablesOf } from '@melmastoon/testkit/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  allNotes,
  asAdmin,
  failureOf,
  insertNote,
  newTenants,
  notes,
  notesDatabase,
  open,
  SCHEMA,
} from './fixture.ts'

const MISSING = 'MELMASTOON.TENANT.CONTEXT_MISSING'

let database: TestDatabase
let tenants: TenantId[]

beforeAll(async () => {
  database = await notesDatabase()
  tenants = newTenants(2)
  await using db = open(database.appUrl)
  for (const tenant of tenants) {
    await db.tenantQuery(tenant, insertNote(tenant, `of ${tenant}`))
    await db.tenantQuery(
      tenant,
      sql`insert into idempotency (key, tenant_id, request_hash, lease_until)
        values ('k', ${idToUuid(tenant)}, 'h', now())`,
    )
  }
})

afterAll(() => database[Symbol.asyncDispose]())

/** Findings while `ddl` is applied; `undo` reverts what the migration of notes does not. */
async function findingsAfter(
  ddl: string,
  undo = '',
  options: TenancyOptions = {},
): Promise<string[]> {
  const findings = await asAdmin(database.adminUrl, async (client) => {
    await client.query(ddl)
    const found = await tenancyFindings(database.adminUrl, SCHEMA, options)
    await client.query(`${undo}; set role ${SCHEMA}_owner; ${notes.up}`)
    return found
  })
  return findings.map(({ rule, object, finding }) => `${rule} ${object} ${finding}`)
}

describe('catalogue', () => {
  it('finds nothing in the shared tables and an isolated table', async () => {
    expect(await tenancyFindings(database.appUrl, SCHEMA)).toEqual([])
    expect(await tenantTablesOf(database.appUrl, SCHEMA)).toEqual(['idempotency', 'notes'])
  })

  it('ignores tables without tenants', async () => {
    const options = { serviceScoped: ['notes'] }
    const open = `alter table ${SCHEMA}.notes disable row level security`
    expect(await findingsAfter(open, '', options)).toEqual([])
    expect(await tenantTablesOf(database.appUrl, SCHEMA, options)).toEqual(['idempotency'])
  })

  it.each([
    ['disable row level security', 'row security is not enabled'],
    ['no force row level security', 'row security is not forced on the owner'],
  ])('RLS-01 fails on: %s', async (change, finding) => {
    const found = await findingsAfter(`alter table ${SCHEMA}.notes ${change}`)
    expect(found).toEqual([`RLS-01 notes ${finding}`])
  })

  it('RLS-01 fails on a policy that is missing, has no check or opens the table', async () => {
    const table = `${SCHEMA}.notes`
    expect(await findingsAfter(`drop policy notes_tenant_isolation on ${table}`)).toEqual([
      'RLS-01 notes has no policy notes_tenant_isolation',
    ])
    expect(
      await findingsAfter(
        `drop policy notes_tenant_isolation on ${table};
         create policy notes_tenant_isolation on ${table}
           using (tenant_id = (select ${SCHEMA}.current_tenant()))`,
      ),
    ).toEqual(['RLS-01 notes notes_tenant_isolation has no WITH CHECK'])
    const opened = `create policy all_notes on ${table} using (true)`
    expect(await findingsAfter(opened, `drop policy all_notes on ${table}`)).toEqual([
      'RLS-01 notes policy all_notes opens the table to more than the relay',
    ])
    expect(
      await findingsAfter(
        `create table ${SCHEMA}.bare (tenant_id uuid primary key);
         alter table ${SCHEMA}.bare owner to ${SCHEMA}_owner`,
        `drop table ${SCHEMA}.bare`,
      ),
    ).toHaveLength(3)
  })

  it('RLS-02 fails on owners, definer functions and plain views', async () => {
    const found = await findingsAfter(
      `alter table ${SCHEMA}.inbox owner to ${SCHEMA}_app;
       create function ${SCHEMA}.peek() returns int language sql security definer as 'select 1';
       create function ${SCHEMA}.fixed() returns int language sql security definer
         set search_path = '' as 'select 1';
       create view ${SCHEMA}.open_notes as select * from ${SCHEMA}.notes;
       create view ${SCHEMA}.safe_notes with (security_invoker = true)
         as select * from ${SCHEMA}.notes`,
      `alter table ${SCHEMA}.inbox owner to ${SCHEMA}_owner;
       grant select, insert, update on ${SCHEMA}.inbox to ${SCHEMA}_app;
       drop function ${SCHEMA}.peek(), ${SCHEMA}.fixed();
       drop view ${SCHEMA}.open_notes, ${SCHEMA}.safe_notes`,
    )
    expect(found).toEqual([
      `RLS-02 inbox is owned by ${SCHEMA}_app`,
      `RLS-02 ${SCHEMA}.peek() is SECURITY DEFINER without a search_path`,
      'RLS-02 open_notes is a view without security_invoker',
    ])
  })

  it('RLS-02 fails on roles that bypass row security', async () => {
    const schema = `loose_${database.name.slice(5, 20)}`
    const found = await asAdmin(database.adminUrl, async (client) => {
      await client.query(`create role ${schema}_owner; create role ${schema}_app bypassrls`)
      await client.query(`create role ${schema}_relay; grant ${schema}_owner to ${schema}_relay`)
      const findings = await tenancyFindings(database.adminUrl, schema)
      await client.query(`drop role ${schema}_relay; drop role ${schema}_app`)
      await client.query(`drop role ${schema}_owner`)
      return findings
    })
    expect(found.map(({ finding }) => finding).toSorted()).toEqual([
      'acts as the owner',
      'bypasses row security',
    ])
  })

  it('RLS-03 fails on a unique index over all tenants', async () => {
    const found = await findingsAfter(
      `create unique index ux_body on ${SCHEMA}.notes (body);
       create unique index ux_lower on ${SCHEMA}.notes (lower(body), tenant_id);
       create unique index ux_tenant_body on ${SCHEMA}.notes (tenant_id, body)`,
      `drop index ${SCHEMA}.ux_body, ${SCHEMA}.ux_lower, ${SCHEMA}.ux_tenant_body`,
    )
    expect(found).toEqual([
      'RLS-03 notes.ux_body is unique without leading tenant_id',
      'RLS-03 notes.ux_lower is unique without leading tenant_id',
    ])
  })
})

describe('scope', () => {
  it('RLS-04 rejects every statement on every tenant table without a tenant context', async () => {
    await using db = open(database.appUrl)
    const own = idToUuid(tenants[0] ?? never())
    const statements = [
      sql`select * from notes`,
      sql`insert into notes (tenant_id) values (${own})`,
      sql`update notes set body = 'x'`,
      sql`delete from notes`,
      sql`select * from idempotency`,
      sql`insert into idempotency (key, tenant_id, request_hash, lease_until)
        values ('x', ${own}, 'h', now())`,
      sql`update idempotency set attempt = 2`,
    ]
    for (const statement of statements) {
      expect([statement.text, await failureOf(db.query(statement))]).toEqual([
        statement.text,
        MISSING,
      ])
      expect(await failureOf(db.transaction((tx) => tx.query(statement)))).toBe(MISSING)
    }
    expect(await failureOf(db.query(sql`copy notes from stdin`))).toContain('INTERNAL')
    expect(await failureOf(db.query(sql`copy notes to stdout`))).toContain('MELMASTOON')
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  it('RLS-04 requires a tenant context of the owner too', async () => {
    await using db = open(database.ownerUrl)
    expect(await failureOf(db.query(allNotes()))).toBe(MISSING)
  })

  it.each([
    ['', MISSING],
    ['null', 'MELMASTOON.GENERAL.INTERNAL'],
    ['not-a-uuid', 'MELMASTOON.GENERAL.INTERNAL'],
    [`' or true --`, 'MELMASTOON.GENERAL.INTERNAL'],
  ])('RLS-05 rejects the setting %j', async (setting, code) => {
    await using db = open(database.appUrl)
    const reading = db.transaction(async (tx) => {
      await tx.query(sql`select set_config('app.tenant_id', ${setting}, true)`)
      return tx.query(allNotes())
    })
    expect(await failureOf(reading)).toBe(code)
  })

  it('RLS-05 returns no rows for an unknown tenant, and sends no malformed id to Postgres', async () => {
    await using db = open(database.appUrl)
    expect(await db.tenantQuery(newTenants(1)[0] ?? never(), allNotes())).toEqual([])
    for (const bad of ['', 'tnt_', 'null', 'tnt_01ARZ3NDEKTSV4RRFFQ69G5FAI']) {
      expect(await failureOf(db.tenantQuery(bad as TenantId, allNotes()))).toBe('TypeError')
    }
  })

  it('RLS-06 rejects writes for another tenant', async () => {
    await using db = open(database.appUrl)
    const [mine, other] = [tenants[0] ?? never(), tenants[1] ?? never()]
    const writes = [
      insertNote(other, 'foreign'),
      sql`update notes set tenant_id = ${idToUuid(other)}`,
      sql`update idempotency set tenant_id = ${idToUuid(other)}`,
      sql`update idempotency set tenant_id = null`,
      sql`insert into notes (tenant_id, id)
        select ${idToUuid(other)}, id from notes on conflict do nothing`,
    ]
    expect(await acceptedOf(db.scoped(mine), writes)).toEqual([])
    const aimed = await db.tenantQuery(
      mine,
      sql`update notes set body = 'x' where tenant_id = ${idToUuid(other)} returning id`,
    )
    expect(aimed).toEqual([])
  })

  it.each([true, false])(
    'RLS-07 resets the tenant of a pooled connection (prepared %s)',
    async (named) => {
      await using db = open(database.appUrl, { poolMax: 1, preparedStatements: named })
      const mine = tenants[0] ?? never()
      const scopes = [
        () => db.tenantQuery(mine, allNotes()),
        () => db.withTenant(mine, (tx) => tx.query(allNotes())),
        () => db.tenantQuery(mine, sql`select 1 / 0`),
        () => db.withTenant(mine, (tx) => tx.query(sql`select 1 / 0`)),
        () => db.withTenant(mine, () => Promise.reject(new RangeError('no'))),
      ]
      for (const scope of scopes) {
        await scope().catch(() => undefined)
        expect(await failureOf(db.query(allNotes()))).toBe(MISSING)
        const setting = sql`select coalesce(current_setting('app.tenant_id', true), '') as tenant`
        expect(await db.query(setting)).toEqual([{ tenant: '' }])
      }
    },
  )
})

describe('grants', () => {
  it('the app can neither delete shared rows, nor change tables, nor use tables of the relay', async () => {
    await using db = open(database.appUrl)
    const forbidden = [
      sql`delete from outbox`,
      sql`update outbox set status = 'dead'`,
      sql`delete from inbox`,
      sql`delete from idempotency`,
      sql`select * from outbox_published`,
      sql`select * from outbox_lease`,
      sql`insert into job_run (name) values ('x')`,
      sql`insert into schema_migrations (version) values ('x')`,
      sql`alter table notes disable row level security`,
      sql`drop policy notes_tenant_isolation on notes`,
      sql`create table own (n int)`,
      sql`truncate notes`,
      sql`set role chassis_db_owner`,
      sql`set role chassis_db_relay`,
      sql`alter role chassis_db_app bypassrls`,
    ]
    expect(await acceptedOf(db, forbidden)).toEqual([])
  })

  it('the relay sees all tenants, but only in the tables granted to it', async () => {
    await using db = open(database.relayUrl)
    expect(await db.query(allNotes())).toHaveLength(2)
    expect(await db.query(sql`select key from idempotency`)).toHaveLength(2)
    const forbidden = [
      sql`insert into notes (tenant_id) values (gen_random_uuid())`,
      sql`create table own (n int)`,
      sql`set role chassis_db_owner`,
    ]
    expect(await acceptedOf(db, forbidden)).toEqual([])
  })
})

/** The statements that were not rejected for a missing permission. */
async function acceptedOf(db: Queryable, statements: Statement<unknown>[]): Promise<string[]> {
  const accepted: string[] = []
  for (const statement of statements) {
    const failure: unknown = await db.query(statement).catch((error: unknown) => error)
    if (sqlStateOf(failure) !== '42501') accepted.push(statement.text)
  }
  return accepted
}

function never(): never {
  throw new TypeError('unreachable')
}
