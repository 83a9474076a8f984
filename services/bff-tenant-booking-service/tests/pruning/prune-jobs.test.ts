import {
  createDatabase,
  isDevelopmentData,
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
    'inbox-prune': expect.stringMatching(/^\d+ \d+ \* \* \d$/),
  })
})

it('T16 deletes snapshots and arrivals of every tenant after 30 days', async () => {
  const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
  const own = await readMigrations(new URL('../../src/migrations/', import.meta.url), {
    schema: SCHEMA,
  })
  const migrations = [...shared, ...own.filter((migration) => !isDevelopmentData(migration))]
  await using database = await testDatabase({ schema: SCHEMA, migrations })
  const options = { url: database.relayUrl, poolMax: 2, onError: () => undefined }
  await using db = createDatabase(options)
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
  const run = { db, signal: new AbortController().signal, logger: silentLogger }
  for (const name of ['draft-snapshot-prune', 'handoff-arrival-prune']) {
    const job = bookingPruneJobs().find((each) => each.name === name)
    expect(await job?.run(run)).toMatchObject({ deleted: 2 })
    expect(await job?.run(run)).toMatchObject({ deleted: 0 })
  }
})
