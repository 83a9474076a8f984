import {
  createDatabase,
  type Database,
  isDevelopmentData,
  rawSql,
  readMigrations,
  sharedMigrations,
  sql,
} from '@melmastoon/chassis/db'
import { silentLogger } from '@melmastoon/chassis/telemetry'
import { idToUuid, newId } from '@melmastoon/domain'
import { testDatabase } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { bookingPruneJobs } from '../../src/pruning/prune-jobs.ts'

const SCHEMA = 'bff_tenant_booking'
const HASH = `sha256:${'0'.repeat(64)}`

it('T16 has the documented jobs at the documented intervals', () => {
  const schedules = bookingPruneJobs().map(({ name, schedule }) => [name, schedule?.cron])
  expect(Object.fromEntries(schedules)).toEqual({
    'outbox-prune': expect.stringMatching(/^\d+ \* \* \* \*$/),
    'idempotency-prune': expect.stringMatching(/^\d+ \* \* \* \*$/),
    'handoff-arrival-prune': expect.stringMatching(/^\d+ \* \* \* \*$/),
    'draft-snapshot-prune': expect.stringMatching(/^\d+ \d+ \* \* \*$/),
    'booking-draft-prune': expect.stringMatching(/^\d+ \d+ \* \* \*$/),
    'inbox-prune': expect.stringMatching(/^\d+ \d+ \* \* \d$/),
  })
})

/** The tables of the service, and the role of jobs. */
async function openTables() {
  const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
  const own = await readMigrations(new URL('../../src/migrations/', import.meta.url), {
    schema: SCHEMA,
  })
  const migrations = [...shared, ...own.filter((migration) => !isDevelopmentData(migration))]
  const database = await testDatabase({ schema: SCHEMA, migrations })
  const open = (url: string) => createDatabase({ url, poolMax: 2, onError: () => undefined })
  const [app, db] = [open(database.appUrl), open(database.relayUrl)]
  return {
    app,
    db,
    run: (name: string) =>
      bookingPruneJobs()
        .find((each) => each.name === name)
        ?.run({ db, signal: new AbortController().signal, logger: silentLogger }),
    async [Symbol.asyncDispose]() {
      await Promise.all([app[Symbol.asyncDispose](), db[Symbol.asyncDispose]()])
      await database[Symbol.asyncDispose]()
    },
  }
}

it('T16 deletes snapshots and arrivals of every tenant after 30 days', async () => {
  await using tables = await openTables()
  const { db, run } = tables
  for (const days of [29, 31, 29, 31]) {
    const tenant = idToUuid(newId('tnt'))
    await db.query(sql`insert into booking_draft_snapshots
      (draft_id, tenant_id, session_id, final_state, created_at, finalized_at)
      values (${newId('bdr')}, ${tenant}::uuid, ${newId('tnt_session')}, 'abandoned', now(),
        now() - make_interval(days => ${days}::int))`)
    await db.query(sql`insert into handoff_arrival_log
      (id, tenant_id, consumer_session_id, property_id, received_at, expires_at, payload,
        hmac_signature_fingerprint, signing_key_id, remote_ip_hash, user_agent_class, handoff_id,
        session_id)
      values (${newId('bha')}, ${tenant}::uuid, ${newId('gms')}, ${newId('ppt')},
        now() - make_interval(days => ${days}::int), now(), '{}', ${HASH}, 'k1', ${HASH}, 'browser',
        ${newId('bhd')}, ${newId('tnt_session')})`)
  }
  for (const name of ['draft-snapshot-prune', 'handoff-arrival-prune']) {
    expect(await run(name)).toMatchObject({ deleted: 2 })
    expect(await run(name)).toMatchObject({ deleted: 0 })
  }
})

interface StoredDraft {
  readonly state: string
  /** Since its end; null: it has not ended. */
  readonly days: number | null
  /** Whether work is left; undefined: it never had a payment. */
  readonly isDue?: boolean
}

/** A draft, with a record and an attempt if it had a payment. */
async function insertBooking(app: Database, { state, days, isDue }: StoredDraft): Promise<void> {
  const tenantId = newId('tnt')
  const [tenant, draft, reservation] = [idToUuid(tenantId), idToUuid(newId('bdr')), newId('rsv')]
  const db = app.scoped(tenantId)
  await db.query(sql`insert into booking_draft (tenant_id, id, session_id, state, reservation_id,
      reservation_code, terms, hold_expires_at, origin, created_at, last_activity_at, expires_at,
      finalized_at)
    values (${tenant}::uuid, ${draft}::uuid, ${newId('tnt_session')}, ${state}, ${reservation},
      'ABCDEFGH', '{}', now(), '{}', now() - interval '60 days', now() - interval '60 days',
      now() - interval '60 days', now() - ${days}::int * interval '1 day')`)
  if (isDue === undefined) return
  await db.query(sql`insert into booking_fulfilment (tenant_id, draft_id, state, decision,
      reservation_id, consented_digest, amount_micro, currency, next_at, settled_at)
    values (${tenant}::uuid, ${draft}::uuid, 'released', 'release', ${reservation}, 'digest', 1,
      'USD', case when ${isDue}::boolean then now() end, now())`)
  await db.query(sql`insert into booking_payment_attempt (tenant_id, draft_id, no, key, cancel_key,
      refund_key, method, capture_mode, digest, amount_micro, currency, status)
    values (${tenant}::uuid, ${draft}::uuid, 1, 'key', 'cancel', 'refund', 'card', 'manual',
      'digest', 1, 'USD', 'closed')`)
}

it('deletes ended drafts with their payments after 30 days, unless work is left', async () => {
  await using tables = await openTables()
  const { app, db, run } = tables
  const remaining = [
    { state: 'abandoned', days: 29 },
    { state: 'confirmed', days: 29, isDue: false },
    { state: 'failed', days: 31, isDue: true },
    { state: 'holding', days: null },
    { state: 'paying', days: null },
  ]
  const deleted = [
    { state: 'abandoned', days: 31 },
    { state: 'confirmed', days: 31, isDue: false },
    { state: 'failed', days: 31, isDue: false },
  ]
  for (const draft of [...remaining, ...deleted]) await insertBooking(app, draft)
  expect(await run('booking-draft-prune')).toMatchObject({ deleted: deleted.length })
  expect(await run('booking-draft-prune')).toMatchObject({ deleted: 0 })
  const left = await db.query(sql`select d.state from booking_draft d order by d.state`)
  expect(left).toEqual(remaining.map(({ state }) => ({ state })).toSorted(byState))
  for (const table of ['booking_fulfilment', 'booking_payment_attempt']) {
    const rows = await db.query(sql`select 1 from ${rawSql(table)}`)
    expect(rows).toHaveLength(2)
  }
})

const byState = (a: { state: string }, b: { state: string }) => (a.state < b.state ? -1 : 1)
