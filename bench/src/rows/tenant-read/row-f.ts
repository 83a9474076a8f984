import { randomUUID } from 'node:crypto'
import { createDatabase, sql } from '@melmastoon/chassis/db'
import { measureBothSides } from '../../harness/measure-both-sides.ts'
import type { BenchWorld, Part, Role, Row, Variant } from '../../harness/row.ts'
import { startWorker } from '../../harness/worker.ts'

const TENANTS = 50
const NOTES = 200
const PLAIN = 'query without tenant scope or policy'
const US = 'tenantQuery: scope and query in one flight'

const METRICS = [
  { key: 'cpuUs', label: 'CPU µs', digits: 1 },
  { key: 'clientUs', label: 'of it ours', digits: 1 },
  { key: 'serverUs', label: 'Postgres', digits: 1 },
  { key: 'p50Ms', label: 'p50 ms', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
]

export const rowF: Row = {
  id: 'F',
  title: 'Reading one row in the scope of its tenant',
  async parts(world) {
    const env = await world.exampleEnv()
    const targets = await fillNotes(env['DATABASE_URL'] ?? '')
    const read = (name: string, role: Role, kind: string): Variant => ({
      name,
      role,
      setup: () => Promise.resolve(reading(world, env, { kind, targets })),
    })
    const part: Part = {
      title: 'tenant read',
      metrics: METRICS,
      rounds: world.pick(5, 1),
      compare: 'cpuUs',
      variants: [
        read(PLAIN, 'floor', 'unscoped'),
        read(US, 'us', 'flight'),
        read(
          'withTenant: a transaction, begin and scope in one flight',
          'us',
          'scoped-transaction',
        ),
        read('begin, set_config, query, commit', 'control', 'transaction'),
      ],
      goals: [
        {
          text: 'CPU of a scoped read',
          metric: 'cpuUs',
          variant: US,
          against: PLAIN,
          atMost: 1.15,
        },
      ],
    }
    return [part]
  },
}

function reading(
  world: BenchWorld,
  env: Readonly<Record<string, string>>,
  what: { kind: string; targets: unknown },
) {
  const worker = startWorker(new URL('./read-worker.ts', import.meta.url), {
    env,
    share: world.short,
  })
  const input = { ...what, count: world.pick(8_000, 30), inFlight: 8 }
  return measureBothSides({ world, worker, input })
}

/** The same rows twice: under the tenant policy, and in a table that has none. */
async function fillNotes(url: string): Promise<{ tenant: string; note: string }[]> {
  await using admin = createDatabase({ url, poolMax: 1, onError: () => undefined })
  const rows = Array.from({ length: TENANTS }, () => randomUUID()).flatMap((tenant) =>
    Array.from({ length: NOTES }, () => ({ tenant_id: tenant, id: randomUUID() })),
  )
  await admin.query(sql`create table example.plain_notes (like example.notes including all)`)
  await admin.query(sql`grant select on example.plain_notes to example_app`)
  await admin.query(sql`
    insert into example.plain_notes (tenant_id, id, text)
    select tenant_id, id, 'A note of usual length, from a guest who liked the garden.'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (tenant_id uuid, id uuid)`)
  await admin.query(sql`insert into example.notes select * from example.plain_notes`)
  await admin.query(sql`analyze example.notes`)
  await admin.query(sql`analyze example.plain_notes`)
  return rows.slice(0, 2_000).map(({ tenant_id: tenant, id: note }) => ({ tenant, note }))
}
