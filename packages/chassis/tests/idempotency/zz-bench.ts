import { readFileSync } from 'node:fs'
import { startPostgres } from '@melmastoon/one-machine'
import { createDatabase, ensureRoles, migrate, sharedMigrations, sql, fillPlaceholders } from '@melmastoon/chassis/db'
import { createIdempotencyStore, oneStatement, fingerprint, claim } from '@melmastoon/chassis/idempotency'
import { idToUuid, newId } from '@melmastoon/domain'
import { randomBytes, randomUUID } from 'node:crypto'
const pg = await startPostgres({ dataDir: '/tmp/mel/idem-bench/pg', port: 0, settings: { synchronous_commit: 'on' } })
try {
const schema = 'bench_idem'
await ensureRoles(pg.url, schema)
const notes = `create table if not exists :schema.note (id text primary key, tenant_id uuid not null, body text not null, created_at timestamptz not null default now());
create index if not exists ix_note on :schema.note (tenant_id, created_at);
grant select, insert on :schema.note to :app;
alter table :schema.note enable row level security; alter table :schema.note force row level security;
drop policy if exists p on :schema.note; create policy p on :schema.note using (tenant_id = (select :schema.current_tenant())) with check (tenant_id = (select :schema.current_tenant()));`
await migrate({ url: pg.url, schema, migrations: [...await sharedMigrations({ schema, idempotencyIsolation: true }), { version: '0100_n', up: fillPlaceholders(notes, schema) }] })
const url = new URL(pg.url); url.username = `${schema}_app`
const db = createDatabase({ url: url.href, poolMax: 1, onError: () => undefined })
const store = createIdempotencyStore({ db, schema, secret: randomBytes(32) })
const tenantId = newId('tnt'); const uuid = idToUuid(tenantId)
const payload = JSON.stringify({ text: 'x'.repeat(600) }), envelope = JSON.stringify({ a: 'y'.repeat(300) })
const [{ pid }] = await db.query<{pid:number}>(sql`select pg_backend_pid() as pid`)
const note = (id: string) => sql`insert into note (id, tenant_id, body) select ${id}, ${uuid}::uuid, ${'hello'}`
const event = () => sql`insert into outbox (event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key) select ${newId('evt')}, ${uuid}::uuid, 's', ${payload}::jsonb, ${envelope}::jsonb, now(), ${'o'}`
const plain = async () => {
  const id = newId('rsv')
  await db.tenantQuery(tenantId, sql`with effect as (${note(id)} returning 1), events as (${event()}) select 1 from effect`)
  JSON.stringify({ id, text: 'hello' })
}
const body = { text: 'hello', stars: 3, when: '2026-01-01' }
let lastKey = ''
const scopeOf = (key: string) => ({ service: 'guest-book', tenantId, principal: 'gms_1', method: 'POST', route: '/notes', key })
const once = async () => {
  const id = newId('rsv'); lastKey = randomUUID()
  const r = await oneStatement(store, scopeOf(lastKey), { requestHash: fingerprint(body, {}), ttlMs: 86400000,
    effect: sql`${note(id)} from claimed returning 1`, events: sql`${event()} from claimed`, response: { status: 201, body: { id, text: 'hello' } } })
  if (r.kind !== 'done') throw new Error(r.kind)
}
const slow = async () => {
  const id = newId('rsv'); const key = randomUUID()
  const r = await claim(store, scopeOf(key), { requestHash: fingerprint(body, {}), ttlMs: 86400000, leaseMs: 15000 })
  if (r.kind !== 'claimed') throw new Error(r.kind)
  await db.withTenant(tenantId, async (tx) => { await tx.query(sql`with effect as (${note(id)}), events as (${event()}) select 1`); await r.claim.complete({ status: 201, body: { id, text: 'hello' } }, tx) })
}
const replay = async () => {
  const r = await oneStatement(store, scopeOf(lastKey), { requestHash: fingerprint(body, {}), ttlMs: 86400000,
    effect: sql`${note('x')} from claimed returning 1`, events: sql`${event()} from claimed`, response: { status: 201, body: { id: 'x', text: 'hello' } } })
  if (r.kind !== 'replay') throw new Error(r.kind)
}
const pgCpu = () => { const f = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' '); return Number(f[0]) / 1000 }
const measure = async (work: () => Promise<void>, n: number) => {
  const p0 = pgCpu(), c0 = process.cpuUsage(), t0 = performance.now()
  for (let i = 0; i < n; i++) await work()
  const c = process.cpuUsage(c0)
  return { node: (c.user + c.system) / n, pg: (pgCpu() - p0) / n, wall: (performance.now() - t0) * 1000 / n }
}
const cases = { plain, once, replay, slow }
const all: Record<string, { node: number; pg: number; wall: number }[]> = {}
for (const w of Object.values(cases)) await measure(w, 300)
for (let round = 0; round < 15; round++) for (const [name, w] of Object.entries(cases)) (all[name] ??= []).push(await measure(w, 200))
const med = (xs: number[]) => xs.toSorted((a, b) => a - b)[Math.floor(xs.length / 2)] ?? 0
const out = Object.fromEntries(Object.entries(all).map(([k, v]) => [k, { node: med(v.map((x) => x.node)), pg: med(v.map((x) => x.pg)), cpu: med(v.map((x) => x.node + x.pg)), wall: med(v.map((x) => x.wall)) }]))
const base = out['plain']
for (const [k, v] of Object.entries(out)) process.stdout.write(`${k.padEnd(8)} node ${v.node.toFixed(0)} pg ${v.pg.toFixed(0)} cpu ${v.cpu.toFixed(0)} wall ${v.wall.toFixed(0)}  ratio cpu ${(v.cpu / (base?.cpu ?? 1)).toFixed(2)} node ${(v.node / (base?.node ?? 1)).toFixed(2)} pg ${(v.pg / (base?.pg ?? 1)).toFixed(2)} wall ${(v.wall / (base?.wall ?? 1)).toFixed(2)}\n`)
await db[Symbol.asyncDispose]()
} finally { await pg.stop() }
