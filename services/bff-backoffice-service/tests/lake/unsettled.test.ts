import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportDay } from '../../src/lake/export-day.ts'
import { LOCK_AUDIT } from '../../src/lake/lake-tables.ts'
import { type LakeSetup, startLake } from './lake-fixture.ts'
import { readLake } from './read-lake.ts'

let setup: LakeSetup
beforeAll(async () => {
  setup = await startLake()
})
afterAll(() => setup[Symbol.asyncDispose]())

const day = '2026-03-01'

async function addAction(outcome: string): Promise<string> {
  const id = crypto.randomUUID()
  await setup.environment.query(
    `insert into ${setup.environment.schema}.lock_action_proxy_audit (id, tenant_id, property_id,
       operator_id, device_id, reservation_id, action, vendor, occurred_at, outcome,
       upstream_request_id, upstream_latency_ms)
     values ($1::uuid, $1::uuid, $1::uuid, 'opr_1', 'dev_1', 'rsv_1', 'issue', 'ttlock', $2, $3, 'req_' || $1::uuid, 0)`,
    [id, `${day}T10:00:00Z`, outcome],
  )
  return id
}

const settle = (id: string) =>
  setup.environment.query(
    `update ${setup.environment.schema}.lock_action_proxy_audit
     set outcome = 'success', upstream_latency_ms = 700 where id = $1`,
    [id],
  )

it('STAFF-LAKE-05 a lock action without a settled outcome holds its day', async () => {
  await addAction('failure')
  const open = [await addAction('pending'), await addAction('unknown')]
  for (const id of open) {
    expect(await exportDay(setup.deps, { table: LOCK_AUDIT, day })).toBe('held')
    await expect(setup.runExport(LOCK_AUDIT)).resolves.toMatchObject({ held: 1, exported: 0 })
    await settle(id)
  }
  expect(await exportDay(setup.deps, { table: LOCK_AUDIT, day })).toBe('exported')
  const rows = await readLake(
    setup.folder,
    LOCK_AUDIT,
    'select outcome, count(*)::int as n from lock_action_proxy_audit group by all order by 1',
  )
  expect(rows).toEqual([
    { outcome: 'failure', n: 1 },
    { outcome: 'success', n: 2 },
  ])
})
