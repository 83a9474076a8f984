import { rawSql, sql } from '@melmastoon/chassis/db'
import { runJob, type ServiceJob } from '@melmastoon/chassis/jobs'
import { jobHost } from '@melmastoon/chassis/service'
import { idToUuid, newId } from '@melmastoon/domain'
import { type TemporaryFolder, type TestEnvironment, temporaryFolder } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BackofficeContext } from '../../src/context.ts'
import { backofficeJobs } from '../../src/jobs.ts'
import { LAKE_TABLES, OPERATOR_ACTIVITY } from '../../src/lake/lake-tables.ts'
import { service } from '../../src/service.ts'
import { openAs } from '../activity/activity-fixture.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'
import { startBackoffice } from '../harness/start-backoffice.ts'
import { insertRow, rowOf } from '../lake/lake-fixture.ts'
import { readLake } from '../lake/read-lake.ts'

const DAY_MS = 86_400_000
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

let folder: TemporaryFolder
let environment: TestEnvironment
let running: Awaited<ReturnType<typeof startBackoffice>>
beforeAll(async () => {
  folder = temporaryFolder()
  environment = await backofficeEnvironment()
  running = await startBackoffice({ env: { ...environment.env, LAKE_DIR: folder.path } })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (name: string) => runJob(jobHost(service, running.ctx), name)

const HOURLY = /^\d+ \* \* \* \*$/
const DAILY = /^\d+ \d+ \* \* \*$/

describe('B15 the jobs of the data model', () => {
  it.each([
    ['idempotency-cleanup', HOURLY],
    ['outbox-archival', DAILY],
    ['outbox-dlq-prune', /^\d+ \d+ \* \* \d$/],
    ['activity-export', DAILY],
    ['alert-ack-export', DAILY],
    ['ai-decision-export', DAILY],
    ['lock-audit-export', DAILY],
    ['oaq-hints-prune', HOURLY],
    ['partition-keeper', DAILY],
  ])('%s runs at its interval', (name, pattern) => {
    const jobs: ServiceJob<BackofficeContext>[] = backofficeJobs()
    expect(jobs.find((job) => job.name === name)?.schedule?.cron).toMatch(pattern)
  })

  it('every table of the lake leaves Postgres as documented', () => {
    expect(Object.fromEntries(LAKE_TABLES.map(({ name, hotDays }) => [name, hotDays]))).toEqual({
      operator_activity: 90,
      alert_ack_log: 365,
      ai_decision_log: null,
      lock_action_proxy_audit: null,
    })
  })

  it('activity-export exports yesterday, and not today', async () => {
    await using ledger = openAs(environment, 'ledger')
    for (let at = 0; at < 5; at += 1) {
      await insertRow(ledger, rowOf(dayBefore(1), at))
      await insertRow(ledger, rowOf(dayBefore(0), at))
    }
    expect(await run('activity-export')).toMatchObject({
      outcome: 'done',
      summary: { exported: 1, failed: 0, pruned: 0 },
    })
    expect(await run('activity-export')).toMatchObject({ summary: { exported: 0 } })
    const rows = await readLake(
      folder.path,
      OPERATOR_ACTIVITY,
      'select distinct occurred_at::date::varchar as day, count(*)::int as n from operator_activity group by 1',
    )
    expect(rows).toEqual([{ day: dayBefore(1), n: 5 }])
    expect(await environment.countRows('operator_activity')).toBe(10)
  })

  it('alert-ack-export keeps a year in Postgres, and deletes what it has verified', async () => {
    const { schema } = environment
    for (const days of [2, 400]) {
      await environment.query(
        `insert into ${schema}.alert_ack_log (id, tenant_id, alert_id, category, severity, raised_at,
           acknowledged_at, acknowledged_by, device_id)
         values ($1, $1, $2, 'stay', 'info', $3, $3, 'opr_1', 'dev_1')`,
        [crypto.randomUUID(), `alt_${days}`, new Date(Date.now() - days * DAY_MS)],
      )
    }
    const summary = { failed: 0, kept: 0, pruned: expect.any(Number) }
    expect(await run('alert-ack-export')).toMatchObject({ outcome: 'done', summary })
    const left = await environment.query(`select alert_id from ${schema}.alert_ack_log`)
    expect(left).toEqual([{ alert_id: 'alt_2' }])
  })

  it('oaq-hints-prune deletes hints after seven days', async () => {
    await using db = openAs(environment, 'app')
    const tenantId = newId('tnt')
    for (const days of [6, 8, 8]) {
      await db.tenantQuery(
        tenantId,
        sql`insert into offline_action_queue_hints
            (tenant_id, device_id, operator_id, reported_at, payload, app_version)
          values (${idToUuid(tenantId)}::uuid, 'd', 'o', now() - ${rawSql(`interval '${days} days'`)},
            '{}', '1')`,
      )
    }
    expect(await run('oaq-hints-prune')).toMatchObject({ summary: { deleted: 2 } })
    expect(await environment.countRows('offline_action_queue_hints')).toBe(1)
  })

  it('partition-keeper has nothing to do after a start', async () => {
    expect(await run('partition-keeper')).toMatchObject({ summary: { made: 0 } })
  })

  it('D29 outbox-archival moves published events of 30 days, and loses none', async () => {
    const { relayDb } = running.ctx
    const old = newId('evt')
    const recent = newId('evt')
    for (const [id, days] of [
      [old, 31],
      [recent, 29],
    ] as const) {
      await relayDb.query(sql`
        insert into outbox_published (event_id, id, subject, payload, envelope, occurred_at,
          enqueued_at, published_at, ordering_key)
        values (${id}, gen_random_uuid(), 'a.b.c.v1', '{}', '{}', now(), now(),
          now() - make_interval(days => ${days}::int), 'k')`)
    }
    await run('outbox-archival')
    const where = async (table: string) =>
      (
        await relayDb.query<{ event_id: string }>(
          sql`select event_id from ${rawSql(table)} where event_id in (${old}, ${recent})`,
        )
      ).map((row) => row.event_id)
    expect(await where('outbox_archive')).toEqual([old])
    expect(await where('outbox_published')).toEqual([recent])
  })
})
