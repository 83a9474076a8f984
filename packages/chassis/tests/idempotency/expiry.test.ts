import { sql } from '@melmastoon/chassis/db'
import {
  type Claim,
  type ClaimOutcome,
  claim,
  fingerprint,
  type IdempotencyScope,
  lookupKey,
  pruneIdempotency,
} from '@melmastoon/chassis/idempotency'
import { isProblem, newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Guest, newKey, type Sent } from './_client.ts'
import { allNotes } from './_database.ts'
import { type Site, startSite } from './_site.ts'

let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())

const options = { requestHash: fingerprint({}), leaseMs: 60_000, ttlMs: 600_000 }

function newScope(): IdempotencyScope {
  const tenantId = newId('tnt')
  return { service: 's', tenantId, principal: 'p', operation: 'o', key: newKey() }
}

async function prune(): Promise<number> {
  let total = 0
  for (;;) {
    const [row] = await site.fixture.relay.query(pruneIdempotency(2))
    total += row?.pruned ?? 0
    if ((row?.pruned ?? 0) < 2) return total
  }
}

function heldBy(outcome: ClaimOutcome): Claim {
  if (outcome.kind !== 'claimed') throw new TypeError(`not claimed but ${outcome.kind}`)
  return outcome.claim
}

async function expireAll(): Promise<void> {
  await site.fixture.admin.query(sql`update idem_isolated.idempotency
    set expires_at = now() - interval '1 millisecond'`)
}

async function endLeases(): Promise<void> {
  await site.fixture.admin.query(sql`update idem_isolated.idempotency
    set lease_until = now() - interval '1 millisecond'`)
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isProblem(error) ? error.code : undefined
}

describe('a key at the end of its life', () => {
  it('IDEM-24 is replayed before its expiry and executed again afterwards, once per generation', async () => {
    const guest = new Guest(await site.listen({ ttlMs: 1_100, leaseMs: 1_000 }))
    const key = newKey()
    const before = (await allNotes(site.fixture)).length
    const sent: Sent[] = []
    let generations = new Set<string>()
    await eventually(
      async () => {
        const round = await Promise.all([1, 2, 3, 4].map(() => guest.send({ key })))
        await prune()
        sent.push(...round)
        const successes = sent.filter(({ status }) => status === 201)
        generations = new Set(successes.map(({ text }) => text))
        expect(generations.size).toBeGreaterThanOrEqual(3)
      },
      { timeoutMs: 20_000, intervalMs: 1 },
    )
    expect(sent.every(({ status }) => status === 201 || status === 409)).toBe(true)
    const executed = sent.filter(({ status, replayed }) => status === 201 && !replayed)
    expect(executed).toHaveLength(generations.size)
    expect((await allNotes(site.fixture)).length - before).toBe(generations.size)
  }, 40_000)

  it('IDEM-24 is neither pruned nor taken over while its lease is valid', async () => {
    const scope = newScope()
    const held = heldBy(await claim(site.fixture.store, { scope, ...options }))
    await prune()
    await expireAll()
    expect(await lookupKey(site.fixture.store, scope)).toEqual([{ operation: 'o', status: null }])
    expect(await claim(site.fixture.store, { scope, ...options })).toMatchObject({
      kind: 'in_flight',
    })
    await prune()
    await held.complete({ response: { status: 200, body: {} } })
    expect(await prune()).toBeGreaterThanOrEqual(1)
    expect(await lookupKey(site.fixture.store, scope)).toEqual([])
  })

  it('IDEM-24 is pruned in batches only after its expiry', async () => {
    await expireAll()
    await endLeases()
    await prune()
    for (let index = 0; index < 5; index += 1) {
      await heldBy(await claim(site.fixture.store, { scope: newScope(), ...options })).complete({
        response: { status: 204 },
      })
    }
    await expireAll()
    const scope = newScope()
    await heldBy(await claim(site.fixture.store, { scope, ...options })).complete({
      response: { status: 204 },
    })
    expect(await prune()).toBe(5)
    expect(await lookupKey(site.fixture.store, scope)).toEqual([{ operation: 'o', status: 204 }])
  })

  it('IDEM-24 rejects an outdated attempt whose number was reused after a prune', async () => {
    const scope = newScope()
    const outdated = heldBy(await claim(site.fixture.store, { scope, ...options }))
    await endLeases()
    await expireAll()
    await prune()
    const fresh = heldBy(await claim(site.fixture.store, { scope, ...options }))
    expect(fresh.attempt).toBe(outdated.attempt)
    const stale = outdated.complete({ response: { status: 201, body: 'outdated' } })
    expect(await codeOf(stale)).toBe('MELMASTOON.IDEMPOTENCY.IN_FLIGHT')
    await fresh.complete({ response: { status: 201, body: 'fresh' } })
    const replay = await claim(site.fixture.store, { scope, ...options })
    expect(replay).toMatchObject({ kind: 'replay', response: { body: 'fresh' } })
  })
})

describe('a claim', () => {
  it('restarts an expired generation, even with another body', async () => {
    const scope = newScope()
    const first = heldBy(await claim(site.fixture.store, { scope, ...options }))
    await first.checkpoint('held', { hold: 'h' })
    await endLeases()
    const other = { ...options, requestHash: fingerprint({ other: true }) }
    expect(await claim(site.fixture.store, { scope, ...other })).toEqual({ kind: 'reused' })
    const resumed = heldBy(await claim(site.fixture.store, { scope, ...options }))
    expect([resumed.recoveryPoint, resumed.recoveryData]).toEqual(['held', { hold: 'h' }])
    await endLeases()
    await expireAll()
    const fresh = heldBy(await claim(site.fixture.store, { scope, ...other }))
    expect([fresh.recoveryPoint, fresh.recoveryData]).toEqual(['started', {}])
    expect(await codeOf(resumed.checkpoint('late'))).toBe('MELMASTOON.IDEMPOTENCY.IN_FLIGHT')
    expect(fresh.upstreamKey('hold')).toBe(first.upstreamKey('hold'))
  })

  it('is available immediately after it was abandoned by its own attempt only', async () => {
    const scope = newScope()
    const first = heldBy(await claim(site.fixture.store, { scope, ...options }))
    await first.abandon()
    const second = heldBy(await claim(site.fixture.store, { scope, ...options }))
    expect(second.attempt).toBe(2)
    await first.abandon()
    expect(await claim(site.fixture.store, { scope, ...options })).toMatchObject({
      kind: 'in_flight',
    })
  })

  it('renews its lease at a checkpoint', async () => {
    const scope = newScope()
    const held = heldBy(await claim(site.fixture.store, { scope, ...options }))
    await endLeases()
    await held.checkpoint('alive')
    expect(await claim(site.fixture.store, { scope, ...options })).toMatchObject({
      kind: 'in_flight',
    })
  })

  it('has its response only after the transaction is committed', async () => {
    const scope = newScope()
    const held = heldBy(await claim(site.fixture.store, { scope, ...options }))
    const undone = site.fixture.app.scoped(scope.tenantId).transaction(async (tx) => {
      await held.completeIn(tx, { status: 201, body: 'undone' })
      throw new TypeError('after the write')
    })
    await expect(undone).rejects.toThrow(TypeError)
    expect(held.response).toBeNull()
    await held.complete({ response: { status: 201, body: 'done' } })
    expect(held.response?.body).toBe('done')
  })

  it.each([199, 500, 503])('cannot be completed with %i', async (status) => {
    const held = heldBy(await claim(site.fixture.store, { scope: newScope(), ...options }))
    await expect(held.complete({ response: { status } })).rejects.toThrow(TypeError)
  })
})
