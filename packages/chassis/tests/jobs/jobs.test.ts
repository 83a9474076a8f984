import { setTimeout as delay } from 'node:timers/promises'
import { eventually, latch, type TestDatabase, testDatabase } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Secret } from '../../src/config/index.ts'
import { createDatabase, type Database, sharedMigrations, sql } from '../../src/db/index.ts'
import { buildApp } from '../../src/http/build-app.ts'
import { registerJobRoutes } from '../../src/http/register-job-routes.ts'
import {
  defineJob,
  type Job,
  type JobHost,
  pruneJobs,
  runJob,
  scheduleJobs,
} from '../../src/jobs/index.ts'
import { createLogger } from '../../src/telemetry/index.ts'

const schema = 'jobs_test'
let database: TestDatabase
let db: Database
const lines: string[] = []
const logger = createLogger({ service: 'jobs', destination: { write: (line) => lines.push(line) } })

beforeAll(async () => {
  database = await testDatabase({
    schema,
    migrations: await sharedMigrations({ schema, idempotencyIsolation: false }),
  })
  db = createDatabase({ url: database.relayUrl, poolMax: 5, onError: () => {} })
})

afterAll(async () => {
  await db[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

beforeEach(async () => {
  lines.length = 0
  await db.query(sql`delete from job_run`)
})

function hostOf(jobs: Job[], options: Partial<JobHost> = {}): JobHost {
  return { db, jobs, instance: 'one', logger, leaseSeconds: 30, ...options }
}

function jobOf(run: Job['run'], options: Partial<Job> = {}): Job {
  return defineJob({ name: 'count-notes', timeoutMs: 5000, run, ...options })
}

async function storedRun() {
  const [row] = await db.query(
    sql<{ leased: boolean; last_result: Record<string, unknown> | null }>`
      select lease_until is not null as leased, last_result
      from job_run where name = 'count-notes'`,
  )
  return row
}

describe('runJob', () => {
  it('P11 stores and logs the result and releases the lease', async () => {
    const result = await runJob(hostOf([jobOf(async () => ({ counted: 3 }))]), 'count-notes')
    expect(result).toMatchObject({ outcome: 'done', summary: { counted: 3 } })
    expect(await storedRun()).toEqual({ leased: false, last_result: result })
    expect(lines.join('')).toMatch(/"job_started".*"job_finished"/s)
  })

  it('P11 runs on one of many instances', async () => {
    const [entered, release] = [latch(), latch()]
    let runs = 0
    const job = jobOf(async () => {
      runs++
      entered.open()
      await release.promise
      return {}
    })
    const first = runJob(hostOf([job]), 'count-notes')
    await entered.promise
    const instances = ['two', 'three', 'four', 'five']
    const others = await Promise.allSettled(
      instances.map((instance) => runJob(hostOf([job], { instance }), 'count-notes')),
    )
    for (const other of others) {
      const reason = { code: 'MELMASTOON.JOB.ALREADY_RUNNING' }
      expect(other).toMatchObject({ status: 'rejected', reason })
    }
    release.open()
    expect((await first).outcome).toBe('done')
    await runJob(hostOf([job]), 'count-notes')
    expect(runs).toBe(2)
  })

  it('holds its lease while it stops after its timeout', async () => {
    const released = latch()
    const winding = latch()
    const job = jobOf(
      async ({ signal }) => {
        signal.addEventListener('abort', () => winding.open())
        await released.promise
        return {}
      },
      { timeoutMs: 50 },
    )
    const first = runJob(hostOf([job]), job.name)
    await winding.promise
    await expect(runJob(hostOf([job]), job.name)).rejects.toMatchObject({
      code: 'MELMASTOON.JOB.ALREADY_RUNNING',
    })
    released.open()
    expect(await first).toMatchObject({ outcome: 'timeout' })
  })

  it('is taken over when the lease of a crashed runner expires', async () => {
    await db.query(sql`insert into job_run (name, runner, lease_until)
      values ('count-notes', 'crashed', now() + interval '400 ms')`)
    const host = hostOf([jobOf(async () => ({}))])
    await expect(runJob(host, 'count-notes')).rejects.toMatchObject({
      code: 'MELMASTOON.JOB.ALREADY_RUNNING',
    })
    await delay(450)
    expect((await runJob(host, 'count-notes')).outcome).toBe('done')
  })

  it('renews its lease while it runs longer than the lease', async () => {
    const job = jobOf(async () => {
      await delay(900)
      return {}
    })
    const host = hostOf([job], { leaseSeconds: 0.4 })
    const running = runJob(host, 'count-notes')
    await delay(600)
    await expect(runJob(host, 'count-notes')).rejects.toMatchObject({ status: 409 })
    expect((await running).outcome).toBe('done')
  })

  it('aborts a run that lost its lease, and stores the result of the new holder', async () => {
    const entered = latch()
    const job = jobOf(async ({ signal }) => {
      entered.open()
      await delay(4000, undefined, { signal })
      return {}
    })
    const running = runJob(hostOf([job], { leaseSeconds: 0.3 }), 'count-notes')
    await entered.promise
    await db.query(sql`update job_run set runner = 'thief' where name = 'count-notes'`)
    expect((await running).outcome).toBe('lost')
    expect(await storedRun()).toEqual({ leased: true, last_result: null })
  })

  it('ends a job that ignores its signal at its timeout', async () => {
    const job = jobOf(() => new Promise(() => {}), { timeoutMs: 100 })
    const result = await runJob(hostOf([job]), 'count-notes')
    expect(result).toMatchObject({ outcome: 'timeout', errorCode: 'TimeoutError' })
    expect(await storedRun()).toMatchObject({ leased: false })
  })

  it('stores only the code of a failure', async () => {
    const job = jobOf(() => Promise.reject(new TypeError('bad guest "canary"')))
    const result = await runJob(hostOf([job]), 'count-notes')
    expect(result).toMatchObject({ outcome: 'failed', errorCode: 'TypeError' })
    expect(JSON.stringify([await storedRun(), lines])).not.toContain('canary')
  })

  it('rejects unknown names', async () => {
    await expect(runJob(hostOf([]), 'nope')).rejects.toMatchObject({
      code: 'MELMASTOON.JOB.UNKNOWN',
    })
  })
})

describe('scheduleJobs', () => {
  it('P11 runs a tick once although two instances schedule it', async () => {
    const startsMs: number[] = []
    const at = (instance: string) => {
      const run = async () => {
        startsMs.push(performance.now())
        return {}
      }
      const job = jobOf(run, { schedule: { cron: '*/2 * * * * *' } })
      return scheduleJobs(hostOf([job], { instance }))
    }
    const schedules = [at('one'), at('two')]
    await eventually(() => expect(startsMs.length).toBe(2), { timeoutMs: 8000 })
    await Promise.all(schedules.map((schedule) => schedule.stop()))
    const [first = 0, second = 0] = startsMs
    expect(second - first).toBeGreaterThan(1000)
  })

  it('counts a recent run as the run of this tick, except for manual runs', async () => {
    const host = hostOf([jobOf(async () => ({}))])
    await runJob(host, 'count-notes')
    const again = runJob(host, 'count-notes', { quietSeconds: 30 })
    await expect(again).rejects.toMatchObject({ code: 'MELMASTOON.JOB.ALREADY_RUNNING' })
    expect((await runJob(host, 'count-notes')).outcome).toBe('done')
  })

  it('supports time zones', async () => {
    const job = jobOf(async () => ({}), { schedule: { cron: '0 3 * * *', timeZone: 'Asia/Kabul' } })
    const schedule = scheduleJobs(hostOf([job], { instance: 'kabul' }))
    const next = schedule.nextRuns()['count-notes']
    expect(next?.toISOString()).toMatch(/T22:30:00/)
    await schedule.stop()
  })
})

describe('POST /internal/jobs/:name', () => {
  const secret = 'a-secret-of-at-least-32-characters!!'

  async function post(name: string, given?: string) {
    const jobs = [
      jobOf(async () => ({ counted: 1 })),
      jobOf(() => Promise.reject(new Error('no')), { name: 'always-fails' }),
    ]
    const app = await buildApp({ service: 'jobs' })
    registerJobRoutes(app, { host: hostOf(jobs), secret: new Secret(secret) })
    const headers = given === undefined ? {} : { 'x-internal-secret': given }
    const response = await app.inject({ method: 'POST', url: `/internal/jobs/${name}`, headers })
    await app.close()
    return { status: response.statusCode, body: response.json() }
  }

  it.each([undefined, '', 'wrong', `${secret}x`, secret.slice(1)])('rejects %j', async (given) => {
    expect((await post('count-notes', given)).status).toBe(401)
    expect(await storedRun()).toBeUndefined()
  })

  it('runs the job and returns its result', async () => {
    const response = await post('count-notes', secret)
    expect(response).toMatchObject({
      status: 200,
      body: { outcome: 'done', summary: { counted: 1 } },
    })
  })

  it('returns an error when a job is unknown or failed', async () => {
    expect((await post('nope', secret)).status).toBe(404)
    expect((await post('always-fails', secret)).status).toBe(500)
  })
})

describe('pruneJobs', () => {
  const countOf = async (table: 'outbox_published' | 'idempotency' | 'inbox') => {
    const counts = {
      outbox_published: sql<{ n: number }>`select count(*)::int as n from outbox_published`,
      idempotency: sql<{ n: number }>`select count(*)::int as n from idempotency`,
      inbox: sql<{ n: number }>`select count(*)::int as n from inbox`,
    }
    return (await db.query(counts[table]))[0]?.n
  }

  beforeEach(async () => {
    await db.query(sql`insert into outbox_published
        (id, event_id, subject, payload, envelope, occurred_at, enqueued_at, published_at,
        ordering_key)
      select gen_random_uuid(), gen_random_uuid()::text, 's', '{}', '{}', now(), now(),
        now() - make_interval(days => case when n <= 25 then 8 else 6 end), 'k'
      from generate_series(1, 30) n`)
    await db.query(sql`insert into idempotency
        (key, request_hash, state, status_code, lease_until, expires_at)
      select 'key' || n, 'h', case when n > 25 then 'in_progress' else 'completed' end,
        case when n > 25 then null else 200 end, now() + interval '1 minute',
        now() + make_interval(hours => case when n between 21 and 25 then 1 else -1 end)
      from generate_series(1, 30) n`)
    await db.query(sql`insert into inbox (message_id, subject, received_at, processed_at, dead)
      select 'm' || n, 's', now() - make_interval(days => case when n <= 25 then 31 else 29 end),
        case when n <= 20 then now() end, n = 21
      from generate_series(1, 30) n`)
    return async () => {
      await db.query(sql`delete from outbox_published`)
      await db.query(sql`delete from idempotency`)
      await db.query(sql`delete from inbox`)
    }
  })

  it.each([
    ['outbox-prune', 'outbox_published', 25, 5],
    ['idempotency-prune', 'idempotency', 20, 10],
    ['inbox-prune', 'inbox', 21, 9],
  ] as const)('%s deletes expired rows in bounded batches', async (name, table, gone, left) => {
    const result = await runJob(hostOf(pruneJobs({ batchRows: 10 })), name)
    expect(result.summary).toEqual({ deleted: gone, batches: 3 })
    expect(await countOf(table)).toBe(left)
  })

  it('D29 uses the names and retention times of its service, dead letters included', async () => {
    await db.query(sql`insert into outbox
        (event_id, subject, payload, envelope, occurred_at, enqueued_at, ordering_key, dlq, status)
      select 'e' || n, 's', '{}', '{}', now(), now() - make_interval(days => 85 + n, hours => 12), 'k',
        n <> 10, case when n = 10 then 'pending' else 'dead' end
      from generate_series(1, 10) n`)
    const jobs = pruneJobs({
      publishedEvents: { name: 'outbox-archival', cron: '7 2 * * *', retentionDays: 30 },
      idempotency: { name: 'idempotency-cleanup', cron: '17 * * * *' },
      deadEvents: { name: 'outbox-dlq-prune', cron: '37 3 * * 0', retentionDays: 90 },
      batchRows: 3,
    })
    const names = ['outbox-archival', 'idempotency-cleanup', 'inbox-prune', 'outbox-dlq-prune']
    expect(jobs.map(({ name }) => name)).toEqual(names)
    const archival = await runJob(hostOf(jobs), 'outbox-archival')
    expect(archival.summary).toMatchObject({ deleted: 0 })
    const dead = await runJob(hostOf(jobs), 'outbox-dlq-prune')
    expect(dead.summary).toEqual({ deleted: 5, batches: 2 })
    const left = await db.query(sql<{ dlq: boolean }>`delete from outbox returning dlq`)
    expect(left.filter(({ dlq }) => !dlq)).toHaveLength(1)
    expect(left).toHaveLength(5)
  })
})
