import { sql } from '@melmastoon/chassis/db'
import { eventually, latch } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Guest, newKey, type Sent } from './_client.ts'
import { allNotes } from './_database.ts'
import { type Site, startSite } from './_site.ts'

/** Long enough for the upstream call of a process that has just started on a busy machine. */
const LEASE_MS = 1_000
/** Long enough for a retry to arrive before the end of it. */
const LONG_LEASE_MS = 1_500

let site: Site
let key: string

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  key = newKey()
  site.upstream.gate = Promise.resolve()
  site.upstream.calls.length = 0
  site.upstream.lookups.length = 0
  site.upstream.holds.clear()
})

/** Sends to a process that is killed by SIGKILL at the given point; later requests go elsewhere. */
async function sendIntoCrash(
  crashAt: string,
  { leaseMs = LEASE_MS, path = '/notes' } = {},
): Promise<Guest> {
  const { base, process } = await site.spawn({ leaseMs, crashAt })
  const guest = new Guest(site.base)
  await expect(guest.at(base).send({ key, path })).rejects.toThrow('fetch failed')
  expect((await process.exited).signal).toBe('SIGKILL')
  return guest
}

function retryUntilDone(guest: Guest, path = '/notes'): Promise<Sent> {
  return eventually(
    async () => {
      const sent = await guest.send({ key, path })
      expect(sent.status).toBe(201)
      return sent
    },
    { intervalMs: 50, timeoutMs: 15_000 },
  )
}

describe('a process that is killed', { timeout: 90_000 }, () => {
  it('IDEM-18 after the claim: 409 until the lease ends, then one execution', async () => {
    const notes = (await allNotes(site.fixture)).length
    const guest = await sendIntoCrash('idempotency.after_claim', { leaseMs: LONG_LEASE_MS })
    const early = await guest.send({ key })
    expect([early.status, early.headers['retry-after']]).toEqual([409, '1'])
    expect(site.upstream.calls).toHaveLength(0)
    const done = await retryUntilDone(guest)
    expect(done.headers['x-attempt']).toBe('2')
    expect((await guest.send({ key })).text).toBe(done.text)
    expect(site.upstream.calls).toHaveLength(1)
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  })

  it('IDEM-19 after the upstream call: the retry finds its effect by the derived key', async () => {
    const guest = await sendIntoCrash('idempotency.before_checkpoint')
    expect(site.upstream.calls).toHaveLength(1)
    const done = await retryUntilDone(guest)
    expect(JSON.parse(done.text)).toMatchObject({ hold: 'hold-1' })
    expect(site.upstream.lookups).toEqual([site.upstream.calls[0]?.key])
    expect(site.upstream.calls).toHaveLength(1)
    expect(site.upstream.holds.size).toBe(1)
  })

  it('IDEM-20 after the checkpoint: the retry continues from there', async () => {
    const guest = await sendIntoCrash('idempotency.after_checkpoint')
    const done = await retryUntilDone(guest)
    expect([done.headers['x-attempt'], done.replayed]).toEqual(['2', false])
    expect(site.upstream.calls).toHaveLength(1)
    expect(site.upstream.lookups).toHaveLength(0)
  })

  it('IDEM-20 before the result is written: neither effect nor result is stored', async () => {
    const notes = (await allNotes(site.fixture)).length
    const guest = await sendIntoCrash('idempotency.before_complete')
    expect((await allNotes(site.fixture)).length).toBe(notes)
    await retryUntilDone(guest)
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  })

  it('IDEM-21 before the response is sent: the retry is a replay immediately', async () => {
    const notes = (await allNotes(site.fixture)).length
    const guest = await sendIntoCrash('idempotency.before_send')
    const replay = await guest.send({ key })
    expect([replay.status, replay.replayed, replay.headers['x-attempt']]).toEqual([201, true, '1'])
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  })
})

describe('a process that is killed in a mutation of two statements', { timeout: 90_000 }, () => {
  const path = '/bookings'

  it('IDEM-19 after the upstream call: the retry finds the same record by the derived key', async () => {
    const notes = (await allNotes(site.fixture)).length
    const guest = await sendIntoCrash('idempotency.before_complete', { path })
    expect((await allNotes(site.fixture)).length).toBe(notes)
    const done = await retryUntilDone(guest, path)
    expect(JSON.parse(done.text)).toEqual({ hold: 'hold-1' })
    expect([done.headers['x-attempt'], site.upstream.holds.size]).toEqual(['2', 1])
    expect(site.upstream.lookups).toEqual([site.upstream.calls[0]?.key])
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  })

  it('IDEM-21 before the response is sent: the retry is a replay immediately', async () => {
    const notes = (await allNotes(site.fixture)).length
    const guest = await sendIntoCrash('idempotency.before_send', { path })
    const replay = await guest.send({ key, path })
    expect([replay.status, replay.replayed, replay.headers['x-attempt']]).toEqual([201, true, '1'])
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  })
})

describe('an attempt whose lease ended during its upstream call', () => {
  it('IDEM-23 completes nothing after another attempt took over: its statement is fenced', async () => {
    const path = '/bookings'
    const notes = (await allNotes(site.fixture)).length
    const gate = latch()
    site.upstream.gate = gate.promise
    const guest = new Guest(site.base)
    const slow = guest.send({ key, path })
    await site.upstream.callsReach(1)
    await site.fixture.admin.query(sql`update idem_isolated.idempotency set lease_until = now()
      where state = 'in_progress'`)
    const done = await guest.send({ key, path })
    expect([done.status, done.headers['x-attempt']]).toEqual([201, '2'])
    gate.open()
    const late = await slow
    expect([late.status, late.code]).toEqual([409, 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'])
    expect((await guest.send({ key, path })).text).toBe(done.text)
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  })
})

describe('a process that is suspended beyond its lease', () => {
  it('IDEM-23 cannot write after another attempt took over, and is counted', async () => {
    const { admin } = site.fixture
    const notes = (await allNotes(site.fixture)).length
    const sleeper = await site.spawn({ leaseMs: LEASE_MS })
    const guest = new Guest(site.base)
    const pid = sleeper.process.pid
    const slow = await admin.transaction(async (tx) => {
      await tx.query(sql`lock table idem_isolated.note in exclusive mode`)
      const sending = guest.at(sleeper.base).send({ key })
      await eventually(async () => expect(await countLockWaits()).toBe(1), { timeoutMs: 15_000 })
      process.kill(pid, 'SIGSTOP')
      return { sending }
    })
    const done = await retryUntilDone(guest)
    process.kill(pid, 'SIGCONT')
    const outdated = await slow.sending
    expect([outdated.status, outdated.code]).toEqual([409, 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'])
    expect(await fencesLost(sleeper.base)).toBe('1')
    expect(done.headers['x-attempt']).toBe('2')
    expect((await guest.send({ key })).text).toBe(done.text)
    expect(site.upstream.calls).toHaveLength(1)
    expect((await allNotes(site.fixture)).length).toBe(notes + 1)
  }, 90_000)
})

async function countLockWaits(): Promise<number> {
  const [row] = await site.fixture.admin.query<{ waits: number }>(sql`
    select count(*)::int as waits from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`)
  return row?.waits ?? 0
}

async function fencesLost(base: string): Promise<string | undefined> {
  const text = await (await fetch(`${base}/metrics`)).text()
  return /idempotency_fence_lost_total\{step="complete"\} (\d+)/.exec(text)?.[1]
}
