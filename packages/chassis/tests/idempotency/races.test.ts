import { rawSql, sql } from '@melmastoon/chassis/db'
import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { Guest, newKey, type Sent } from './_client.ts'
import { allNotes, OPEN } from './_database.ts'
import { type Site, startSite } from './_site.ts'

const SENDS = 100

interface Race {
  readonly sent: Sent[]
  readonly calls: number
}

/**
 * Sends the same request many times while the upstream delays its responses, until every request
 * has a response or waits for the upstream.
 */
async function race(site: Site, bases: readonly string[]): Promise<Race> {
  const { upstream } = site
  const gate = latch()
  upstream.gate = gate.promise
  const guest = new Guest(site.base)
  const key = newKey()
  let settled = 0
  const sends = Array.from({ length: SENDS }, async (_, index) => {
    const sent = await guest.at(bases[index % bases.length] ?? site.base).send({ key })
    settled += 1
    return sent
  })
  const allSettled = () => expect(settled + upstream.calls.length).toBeGreaterThanOrEqual(SENDS)
  await eventually(allSettled, { timeoutMs: 15_000 }).finally(() => gate.open())
  const sent = await Promise.all(sends)
  const replays = await Promise.all(bases.map((base) => guest.at(base).send({ key })))
  return { sent: [...sent, ...replays], calls: upstream.calls.length }
}

/**
 * Every claim pauses between looking for the row and inserting it, so that all claims of one round
 * of connections overlap. Only the index can then distinguish them.
 */
async function widenRace({ fixture }: Site): Promise<void> {
  const schema = rawSql(fixture.schema)
  await fixture.admin.query(sql`create function ${schema}.pause() returns trigger language plpgsql
    as $$ begin perform pg_sleep(0.15); return new; end $$`)
  await fixture.admin.query(sql`create trigger pause before insert on ${schema}.idempotency
    for each row execute function ${schema}.pause()`)
}

function expectOneExecution({ sent, calls }: Race): void {
  expect(calls).toBe(1)
  const winners = sent.filter(({ status, replayed }) => status === 201 && !replayed)
  expect(winners).toHaveLength(1)
  const replays = sent.filter(({ replayed }) => replayed)
  expect(new Set(replays.map(({ text }) => text))).toEqual(new Set([winners[0]?.text]))
  const busy = sent.filter(({ status }) => status === 409)
  expect(1 + replays.length + busy.length).toBe(sent.length)
  for (const { code, headers } of busy) {
    expect([code, headers['retry-after']]).toEqual(['MELMASTOON.IDEMPOTENCY.IN_FLIGHT', '1'])
  }
}

describe('identical requests at the same time', () => {
  it('IDEM-10 are executed once when 100 arrive in one process', async () => {
    await using site = await startSite()
    await widenRace(site)
    const result = await race(site, [site.base])
    expectOneExecution(result)
    expect(result.sent.filter(({ status }) => status === 409)).toHaveLength(SENDS - 1)
    expect(result.sent.at(-1)?.replayed).toBe(true)
    expect(await allNotes(site.fixture)).toHaveLength(1)
  })

  it('IDEM-11 are executed once when they arrive in three processes', async () => {
    await using site = await startSite()
    await widenRace(site)
    const spawned = await Promise.all([1, 2, 3].map(() => site.spawn({ leaseMs: 20_000 })))
    const result = await race(
      site,
      spawned.map(({ base }) => base),
    )
    expectOneExecution(result)
    expect(result.sent.slice(-3).every(({ replayed }) => replayed)).toBe(true)
    expect(await allNotes(site.fixture)).toHaveLength(1)
  }, 60_000)

  it('IDEM-12 control: are executed many times without the unique index', async () => {
    await using site = await startSite(OPEN, { tenantless: true })
    await widenRace(site)
    const { admin } = site.fixture
    await admin.query(sql`drop index idem_open.ux_idempotency_scope`)
    await admin.query(sql`create unique index on idem_open.idempotency (tenant_id, key)`)
    const result = await race(site, [site.base])
    expect(result.calls).toBeGreaterThan(1)
    expect(() => expectOneExecution(result)).toThrow('to be 1')
    expect((await allNotes(site.fixture)).length).toBeGreaterThan(1)
  })

  it('are rejected, not executed, when the index is missing', async () => {
    await using site = await startSite(OPEN, { tenantless: true })
    await site.fixture.admin.query(sql`drop index idem_open.ux_idempotency_scope`)
    const sent = await new Guest(site.base).send({ key: newKey() })
    expect(sent.status).toBe(500)
    expect(site.upstream.calls).toHaveLength(0)
  })

  it('are executed once in a service without tenants', async () => {
    await using site = await startSite(OPEN, { tenantless: true })
    await widenRace(site)
    expectOneExecution(await race(site, [site.base]))
    expect(await allNotes(site.fixture)).toHaveLength(1)
  })
})
