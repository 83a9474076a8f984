import { KeyRing } from '@melmastoon/security'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededDecisions } from './decisions.ts'
import { guardOf } from './environment/guards.ts'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import type { Fault } from './lossy-clients.ts'
import { type Directed, openDirected, openPaid } from './orders/paid-booking.ts'
import { openSoldOut } from './orders/sold-out.ts'
import { sweepAgainstClaim } from './orders/sweep-against-claim.ts'
import { crashOnce } from './orders/trigger-orders.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const HOUR_MS = 3_600_000

const plan = ({ simulation }: Directed, label: string, ...faults: Fault[]) =>
  simulation.network.planned.set(label, faults)

const calls = ({ simulation }: Directed, operation: string) =>
  simulation.upstream.audit.entries.flatMap((entry) =>
    entry.kind === 'call' && entry.operation === operation ? [entry] : [],
  )

/** The poller of the first process, until it has nothing to do. */
async function poll(directed: Directed, slot = 0): Promise<void> {
  directed.simulation.poll(directed.simulation.slots[slot])
  await directed.run()
}

describe('claims', () => {
  const pausedWorker = async (options = {}) => {
    const pauseAt = (label: string, process: string) =>
      label === 'checkpoint' && process === 'a' ? 12_000 : 0
    const directed = await openPaid({ store, pauseAt, ...options })
    directed.simulation.poll(directed.simulation.slots[0])
    await directed.run(10_500)
    await poll(directed, 1)
    await directed.simulation.drain()
    return directed
  }

  it('PAY-09 rejects the write of a process that was paused beyond its lease', async () => {
    const directed = await pausedWorker()
    expect(directed.simulation.happened.get('fenceLost')).toBe(1)
    expect(directed.changes('confirmed')).toBe(1)
  })

  it('PAY-05 control: without the fence such a write is not rejected', async () => {
    const written = pausedWorker(guardOf('fence').options?.())
    await expect(written).rejects.toThrow(/^fence: claim 1 wrote during claim 2/)
  })

  it('PAY-10 one of two claims wins at the instant the lease ends', async () => {
    const directed = await openPaid({ store, crashAt: crashOnce('claim', 'after') })
    const { simulation } = directed
    await poll(directed)
    const leaseUntilMs = simulation.rows.records[0]?.leaseUntilMs ?? 0
    const before = simulation.happened.get('claims poll') ?? 0
    directed.pass(leaseUntilMs - simulation.scheduler.clock.nowMs())
    expect(simulation.scheduler.clock.nowMs()).toBe(leaseUntilMs)
    for (const slot of simulation.slots) simulation.poll(slot)
    await directed.run()
    expect((simulation.happened.get('claims poll') ?? 0) - before).toBe(1)
    await simulation.drain()
    expect(directed.changes('confirmed')).toBe(1)
  })

  it('PAY-13 webhooks of versions 3, 1, 2 leave version 3', async () => {
    const directed = await openDirected({ store })
    const { simulation } = directed
    directed.guest.pay(0)
    await directed.run()
    const { payments } = simulation.upstream
    const { tenantId } = simulation.hotel
    payments.payLate(tenantId, directed.intent().paymentIntentId, 1_000)
    directed.pass(2_000)
    payments.runJobs()
    const [second, third] = directed.webhooks()
    if (second === undefined || third === undefined) throw new TypeError('two changes')
    const first = {
      ...second,
      id: third.id.replace(/.$/, 'Z') as typeof third.id,
      data: { intent: { ...second.data.intent, version: 1 } },
    }
    for (const webhook of [third, first, second]) {
      simulation.receive(webhook)
      await directed.run()
    }
    expect(simulation.rows.attempts[0]?.intentVersion).toBeGreaterThanOrEqual(3)
    await simulation.drain()
    expect(directed.changes('confirmed')).toBe(1)
  })
})

describe('unknown outcomes', () => {
  it.each([
    ['PAY-21', 'lands, and its response is lost', 'response_lost'],
    ['PAY-22', 'does not land', 'request_lost'],
    ['PAY-31', 'lands after it was repeated', 'late'],
  ] as const)('%s one intent when its creation %s', async (_id, _what, fault) => {
    const directed = await openDirected({ store })
    plan(directed, 'payment.createIntent', fault)
    directed.guest.pay(0)
    await directed.run(2_500)
    directed.pass(3_000)
    await poll(directed)
    await directed.run(180_000)
    const { payments } = directed.simulation.upstream
    expect(payments.all()).toHaveLength(1)
    payments.pay(directed.simulation.hotel.tenantId, directed.intent().paymentIntentId)
    await directed.simulation.drain()
    expect(directed.changes('confirmed')).toBe(1)
  })

  it.each([
    ['PAY-23', 'its response is lost', 'response_lost'],
    ['PAY-32', 'its response is outside its schema', 'contract_broken'],
  ] as const)('%s a stay is confirmed once when %s', async (_id, _what, fault) => {
    const directed = await openPaid({ store })
    plan(directed, 'reservation.confirm', fault)
    await poll(directed)
    expect(directed.guest.draft()?.state).toBe('confirming')
    await directed.simulation.drain()
    expect(directed.changes('confirmed')).toBe(1)
    expect(directed.guest.draft()?.state).toBe('confirmed')
  })

  it('PAY-24 a confirmation repeated after 25 hours is read, and no failure', async () => {
    const directed = await openPaid({ store })
    plan(directed, 'reservation.confirm', 'response_lost')
    await poll(directed)
    directed.pass(25 * HOUR_MS)
    await directed.simulation.drain()
    const outcomes = calls(directed, 'reservation.confirm').map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['ok', 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION'])
    expect(directed.guest.draft()?.state).toBe('confirmed')
  })

  it('PAY-25 details changed between two tries: the same bytes', async () => {
    const directed = await openPaid({ store })
    plan(directed, 'reservation.confirm', 'response_lost')
    await poll(directed)
    directed.guest.details(0)
    await directed.run()
    expect([...directed.simulation.happened.keys()]).toContain(
      'details rejected MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
    )
    await directed.simulation.drain()
    const [first, second] = calls(directed, 'reservation.confirm')
    expect(second).toMatchObject({ key: first?.key, input: first?.input, isReplay: true })
  })

  it('PAY-26 rejected, then the room is free again: a new booking has a new key', async () => {
    const directed = await openSoldOut({ store })
    const { simulation } = directed
    await poll(directed)
    await simulation.drain()
    expect(directed.guest.draft()?.state).toBe('failed')
    directed.freeRoom()
    simulation.isAutomatic = false
    for (const step of [0, 1, 0]) {
      directed.guest.next(step)
      await directed.run()
    }
    const { payments } = simulation.upstream
    payments.pay(simulation.hotel.tenantId, directed.intent().paymentIntentId)
    await simulation.drain()
    expect(directed.guest.draft()?.state).toBe('confirmed')
    const keys = calls(directed, 'reservation.confirm').map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  it('PAY-27 control: a new key after a time-out leaves money without a stay', async () => {
    const { options } = guardOf('stored key')
    const directed = await openDirected({ store, ignored: ['F11'], ...options?.() })
    plan(directed, 'payment.createIntent', 'response_lost')
    directed.guest.pay(0)
    await directed.run(2_500)
    directed.pass(3_000)
    await poll(directed)
    const { simulation } = directed
    const { payments } = simulation.upstream
    for (const { paymentIntentId } of payments.all()) {
      payments.pay(simulation.hotel.tenantId, paymentIntentId)
    }
    await expect(simulation.drain()).rejects.toThrow(/F[123]: /)
  })

  it.each([
    ['PAY-28', 0],
    ['PAY-29', 25 * HOUR_MS],
  ])('%s a refund whose response was lost is made once, repeated after %d ms', async (_id, ms) => {
    const directed = await openSoldOut({ store })
    plan(directed, 'payment.createRefund', 'response_lost')
    await poll(directed)
    directed.pass(ms)
    await directed.simulation.drain()
    expect(directed.changes('refunded')).toBe(1)
    expect(directed.guest.draft()?.state).toBe('failed')
  })

  it('PAY-30 the signing key is rotated: the same keys', async () => {
    const directed = await openPaid({ store })
    plan(directed, 'reservation.confirm', 'request_lost')
    await poll(directed)
    const stored = directed.simulation.rows.records[0]?.confirmKey
    const secret = Buffer.alloc(32, 'rotated').toString('base64url')
    directed.simulation.fulfilmentKeys = KeyRing.parse(`k2:active:${secret}`)
    directed.simulation.restartAll()
    await directed.simulation.drain()
    expect(calls(directed, 'reservation.confirm').map(({ key }) => key)).toEqual([stored])
  })

  it('PAY-36 a confirmation that arrives after cancellation and refund is rejected', async () => {
    const directed = await openSoldOut({ store })
    await poll(directed)
    await directed.simulation.drain()
    const code = 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION'
    await expect(directed.confirmLate()).rejects.toMatchObject({ code })
    await directed.simulation.drain()
    expect(directed.changes('refunded')).toBe(1)
  })

  it('PAY-36 control: without the cancellation it takes a room without money', async () => {
    const { options } = guardOf('cancel before refund')
    const directed = await openSoldOut({ store, ignored: ['F4'], ...options?.() })
    await poll(directed)
    await directed.simulation.drain()
    await directed.confirmLate()
    await expect(directed.simulation.drain()).rejects.toThrow(/F[125]: /)
  })
})

describe('two tabs', () => {
  const twoMethods = async (options = {}) => {
    for (let seed = 0; seed < 20; seed += 1) {
      const decisions = seededDecisions(seed)
      const directed = await openDirected({ store, decisions, ...options })
      directed.guest.pay(0)
      directed.guest.pay(1)
      await directed.run()
      await directed.simulation.drain()
    }
    return 20
  }

  it('of one guest pay with two methods: one payment is open', async () => {
    await expect(twoMethods()).resolves.toBe(20)
  })

  it('control: without the index there are two (PAY-48)', async () => {
    const { options, off = '', on = '', ignored = [] } = guardOf('partial index')
    // With the index the other guards may be absent.
    await twoMethods({ ignored: [...ignored, 'F11', 'F9'], ...options?.() })
    await store.execute(off)
    const paid = twoMethods({ ignored, ...options?.() })
    await expect(paid).rejects.toThrow(/^F3: .* has two open payments/)
    await store.reset()
    await store.execute(on)
  })
})

describe('ends', () => {
  it('PAY-52 the sweeper against a claim: one end, 200 trials', async () => {
    const ends = await sweepAgainstClaim(store, 200)
    // Both ways must occur, or there was no race.
    expect(ends.confirmed).toBeGreaterThan(0)
    expect(ends.abandoned).toBeGreaterThan(0)
  }, 120_000)

  it.each([600_000, -600_000])('PAY-56 a clock that is wrong by %d ms: the same', async (ms) => {
    for (const seed of [1, 2, 3]) {
      const directed = await openPaid({ store, decisions: seededDecisions(seed) })
      for (const slot of directed.simulation.slots) slot.offsetMs = ms
      await poll(directed)
      await directed.simulation.drain()
      expect(directed.guest.draft()?.state).toBe('confirmed')
    }
    const soldOut = await openSoldOut({ store })
    for (const slot of soldOut.simulation.slots) slot.offsetMs = ms
    await poll(soldOut)
    await soldOut.simulation.drain()
    expect(soldOut.changes('refunded')).toBe(1)
  })
})
