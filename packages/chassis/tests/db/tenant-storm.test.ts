import type { Statement, Tx } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import { startPgBouncer, type TestDatabase } from '@melmastoon/testkit'
import { type Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notesDatabase, open } from './fixture.ts'
import { KINDS, runStorm, type StormReport, type StormTarget } from './tenant-storm.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await notesDatabase()
})

afterAll(() => database[Symbol.asyncDispose]())

const NEVER_FAIL = ['read', 'write', 'transaction']
const ALWAYS_FAIL = KINDS.filter((kind) => !NEVER_FAIL.includes(kind))

/** Every kind of request occurred and ended as expected: otherwise the test proves nothing. */
function expectOrder(report: StormReport): void {
  expect({ foreign: report.foreignRows, missed: report.missedRows }).toEqual({
    foreign: 0,
    missed: 0,
  })
  expect([...report.finished.keys()].toSorted()).toEqual(NEVER_FAIL.toSorted())
  expect([...report.failed.keys()].toSorted()).toEqual(ALWAYS_FAIL.toSorted())
}

describe('concurrent tenants with failures', { timeout: 120_000 }, () => {
  it('RLS-08 see no row of another tenant in 5,000 requests on a pool of 2', async () => {
    await using db = open(database.appUrl, { poolMax: 2 })
    expectOrder(await runStorm(db, { requests: 5_000, seed: 8 }))
    expect(db.poolState().waiting).toBe(0)
  })

  it('RLS-10 control: the same requests detect the leak of a session-level SET', async () => {
    await using leaky = sessionLevelTarget(database.appUrl)
    const report = await runStorm(leaky, { requests: 1_000, seed: 8 })
    expect(report.foreignRows).toBeGreaterThan(0)
  })

  it('RLS-09 see no row of another tenant through PgBouncer in transaction mode', async (context) => {
    const bouncer = await startPgBouncer(database.appUrl, { poolSize: 2 })
    if (!bouncer.available) {
      context.skip(`no PgBouncer here: ${bouncer.reason}`)
      return
    }
    await using _stopped = bouncer
    await using db = open(bouncer.url, { poolMax: 8, preparedStatements: false })
    expectOrder(await runStorm(db, { requests: 5_000, seed: 9 }))
  })
})

/** The defect that the test must detect: the setting outlives its request. */
function sessionLevelTarget(url: string): StormTarget & AsyncDisposable {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const run = async <R>(client: Client, statement: Statement<R>): Promise<R[]> => {
    const { rows } = await client.query(statement.text, [...statement.values])
    return rows as R[]
  }
  const lend = async <T>(tenantId: TenantId | null, work: (client: Client) => Promise<T>) => {
    const client = await pool.connect()
    try {
      if (tenantId !== null) {
        await client.query(`select set_config('app.tenant_id', $1, false)`, [idToUuid(tenantId)])
      }
      return await work(client)
    } finally {
      client.release()
    }
  }
  return {
    query: (statement) => lend(null, (client) => run(client, statement)),
    tenantQuery: (tenantId, statement) => lend(tenantId, (client) => run(client, statement)),
    withTenant: (tenantId, work) =>
      lend(tenantId, async (client) => {
        const tx: Tx = { query: (statement) => run(client, statement), onCommit: () => undefined }
        await client.query('begin')
        try {
          return await work(tx)
        } finally {
          await client.query('rollback')
        }
      }),
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
