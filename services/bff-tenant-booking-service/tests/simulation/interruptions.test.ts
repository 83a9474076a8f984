import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NIGHT_MICRO } from './environment/hotel.ts'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import type { Fault } from './lossy-clients.ts'
import { meanwhile } from './orders/courses.ts'
import { type Directed, openDirected, openPaid } from './orders/paid-booking.ts'
import { openSoldOut } from './orders/sold-out.ts'
import type { UpstreamClients } from './simulated-upstream.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** Mobile money of a phone that never responds by itself. */
const WAITING_PHONE = 1 + 3 * 3
const CASH = 2

const plan = ({ simulation }: Directed, label: string, ...faults: Fault[]) =>
  simulation.network.planned.set(label, faults)

const calls = ({ simulation }: Directed, operation: string) =>
  simulation.upstream.audit.entries.flatMap((entry) =>
    entry.kind === 'call' && entry.operation === operation ? [entry] : [],
  )

const now = ({ simulation }: Directed) => simulation.scheduler.clock.nowMs()
const recordOf = ({ simulation }: Directed) => simulation.rows.records[0]

async function poll(directed: Directed, slot = 0): Promise<void> {
  directed.simulation.poll(directed.simulation.slots[slot])
  await directed.run()
}

function reject(upstream: string, code: ProblemCode): never {
  const { status } = PROBLEMS[code]
  throw new UpstreamRejection(upstream, status, { code, status })
}

describe('an authorization that ends before its capture', () => {
  it.each(['response_lost', 'request_lost'] as const)(
    'is not confirmed without money: confirm %s',
    async (fault) => {
      const directed = await openPaid({ store })
      const { simulation } = directed
      const { payments } = simulation.upstream
      directed.webhooks()
      plan(directed, 'reservation.confirm', fault)
      await poll(directed)
      expect(directed.guest.draft()?.state).toBe('confirming')
      const { paymentIntentId } = directed.intent()
      payments.setTimes(simulation.hotel.tenantId, paymentIntentId, { expiresAtMs: now(directed) })
      payments.runJobs()
      expect(directed.intent().status).toBe('cancelled')
      const [webhook] = directed.webhooks()
      if (webhook === undefined) throw new TypeError('no webhook was sent')
      simulation.receive(webhook)
      await directed.run()
      await simulation.drain()
      expect(recordOf(directed)?.state).toBe('released')
      expect(directed.guest.draft()?.state).toBe('failed')
      expect(simulation.upstream.reservations.all().map(({ status }) => status)).toEqual([
        'cancelled',
      ])
    },
  )
})

describe('a reservation that does not exist any more', () => {
  const withoutReservation = (clients: UpstreamClients): UpstreamClients => ({
    ...clients,
    reservation: {
      ...clients.reservation,
      confirm: async () => reject('reservation', 'MELMASTOON.RESERVATION.NOT_FOUND'),
      cancel: async () => reject('reservation', 'MELMASTOON.RESERVATION.NOT_FOUND'),
    },
  })

  it('does not delay the refund, and is reported', async () => {
    // For the simulated platform the stay still exists.
    const options = { store, changeClients: withoutReservation, ignored: ['F4'] }
    const directed = await openPaid(options, WAITING_PHONE)
    await poll(directed)
    expect(directed.changes('refunded')).toBe(1)
    expect(recordOf(directed)).toMatchObject({ state: 'released', nextAtMs: null })
    expect(directed.guest.draft()?.state).toBe('failed')
    expect(directed.simulation.happened.get('invariantViolations F4')).toBe(1)
  })
})

describe('the due time of a record', () => {
  it('that a webhook sets during a claim survives the end of the claim', async () => {
    const pauseAt = (label: string, process: string) =>
      label === 'end claim' && process === 'a' ? 5 * SECOND_MS : 0
    const directed = await openDirected({ store, pauseAt })
    const { simulation } = directed
    directed.guest.pay(WAITING_PHONE)
    await directed.run()
    directed.pass(3 * SECOND_MS)
    simulation.poll(simulation.slots[0])
    await directed.run(SECOND_MS)
    const { tenantId } = simulation.hotel
    simulation.upstream.payments.pay(tenantId, directed.intent().paymentIntentId)
    const [webhook] = directed.webhooks()
    if (webhook === undefined) throw new TypeError('no webhook was sent')
    const receivedAtMs = now(directed)
    simulation.receive(webhook, simulation.slots[1])
    await directed.run()
    // The claim of the first process has ended after that, without having seen the money.
    expect(recordOf(directed)).toMatchObject({ state: 'open', leaseUntilMs: 0 })
    expect(recordOf(directed)?.nextAtMs).toBeLessThan(receivedAtMs + SECOND_MS)
  })

  it('is compared again when another poller listed the record earlier', async () => {
    const pauseAt = (label: string, process: string) =>
      label === 'claim' && process === 'b' ? SECOND_MS : 0
    const directed = await openPaid({ store, pauseAt })
    const { simulation } = directed
    plan(directed, 'payment.getIntent', 'unavailable', 'unavailable')
    for (const slot of simulation.slots) simulation.poll(slot)
    await directed.run(5 * SECOND_MS)
    expect(simulation.happened.get('claims poll')).toBe(1)
    expect(recordOf(directed)?.leaseUntilMs).toBe(0)
    await simulation.drain()
    expect(directed.changes('confirmed')).toBe(1)
  })
})

describe('an authorization that staff capture with another amount', () => {
  it('after the decision is released, and all of it is returned', async () => {
    const directed = await openPaid({ store })
    const { simulation } = directed
    meanwhile(directed, 'reservation.confirm', () => {
      const { paymentIntentId, amountMicro, currency } = directed.intent()
      const amount = { amountMicro: String(amountMicro / 2n), currency }
      const input = { params: { paymentIntentId }, body: { amount } }
      simulation.upstream.payments.capture(input, { tenantId: simulation.hotel.tenantId }, 'staff')
    })
    await poll(directed)
    await simulation.drain()
    expect(calls(directed, 'reservation.confirm').map(({ outcome }) => outcome)).toEqual(['ok'])
    expect(directed.guest.draft()?.state).toBe('failed')
    const { amountMicro, capturedMicro, refundedMicro } = directed.intent()
    expect(capturedMicro).toBe(amountMicro / 2n)
    expect(refundedMicro).toBe(capturedMicro)
  })
})

describe('cash promised for a hold that has expired', () => {
  it('is given up when the price has changed and the hotel is suspended', async () => {
    const directed = await openDirected({ store })
    const { simulation, guest } = directed
    guest.pay(CASH)
    await directed.run()
    directed.pass(10 * MINUTE_MS)
    simulation.upstream.pricing.changePrice(simulation.hotel.propertyId, NIGHT_MICRO * 2n)
    plan(directed, 'pricing.recheckQuote', 'unavailable')
    guest.settle('confirm')
    await directed.run()
    expect(guest.draft()?.state).toBe('paying')
    simulation.suspend(true)
    await simulation.drain()
    const outcomes = calls(directed, 'pricing.createQuote').map(({ outcome }) => outcome)
    expect(outcomes.at(-1)).toBe('MELMASTOON.TENANT.SUSPENDED')
    expect(guest.draft()?.state).toBe('abandoned')
    expect(directed.intent().status).toBe('cancelled')
  })
})

describe('a payment that a suspended hotel rejected', () => {
  it('is not created by a delayed copy of the request after its return', async () => {
    const directed = await openDirected({ store })
    const { simulation, guest } = directed
    simulation.suspend(true)
    plan(directed, 'payment.createIntent', 'duplicated')
    guest.pay(CASH)
    await directed.run(SECOND_MS)
    simulation.suspend(false)
    await simulation.drain()
    const outcomes = calls(directed, 'payment.createIntent').map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['MELMASTOON.TENANT.SUSPENDED', 'MELMASTOON.TENANT.SUSPENDED'])
    expect(simulation.upstream.payments.all()).toEqual([])
  })
})

describe('a refund', () => {
  it('whose key has a rejection for another amount continues with a new key', async () => {
    let beforeRefund = () => {}
    const changeClients = (clients: UpstreamClients): UpstreamClients => ({
      ...clients,
      payment: {
        ...clients.payment,
        createRefund: (input, call) => {
          beforeRefund()
          return clients.payment.createRefund(input, call)
        },
      },
    })
    const directed = await openSoldOut({ store, changeClients })
    const { payments } = directed.simulation.upstream
    const { tenantId } = directed.simulation.hotel
    beforeRefund = () => {
      beforeRefund = () => {}
      const { paymentIntentId, currency } = directed.intent()
      const amount = { amountMicro: '1000000', currency }
      const input = { params: { paymentIntentId }, body: { amount, reasonCode: 'staff' } }
      payments.refund(input, { tenantId }, 'staff')
    }
    plan(directed, 'payment.createRefund', 'response_lost')
    await poll(directed)
    await directed.simulation.drain()
    expect(directed.guest.draft()?.state).toBe('failed')
    const refunds = calls(directed, 'payment.createRefund').map(({ outcome }) => outcome)
    expect(refunds).toEqual([
      'MELMASTOON.PAYMENT.REFUND_TOO_LARGE',
      'MELMASTOON.IDEMPOTENCY.KEY_REUSED',
      'ok',
    ])
    const { capturedMicro, refundedMicro } = directed.intent()
    expect(refundedMicro).toBe(capturedMicro)
  })
})

describe('a payment that cannot be cancelled now', () => {
  it('is tried once in a claim, and with another key later', async () => {
    const keys: string[] = []
    let isCancellable = false
    const changeClients = (clients: UpstreamClients): UpstreamClients => ({
      ...clients,
      payment: {
        ...clients.payment,
        cancelIntent: async (input, call) => {
          keys.push(call.idempotencyKey)
          if (!isCancellable) reject('payment', 'MELMASTOON.PAYMENT.ILLEGAL_TRANSITION')
          return await clients.payment.cancelIntent(input, call)
        },
      },
    })
    const directed = await openDirected({ store, changeClients })
    directed.guest.pay(WAITING_PHONE)
    await directed.run()
    directed.guest.settle('delete')
    await directed.run()
    expect(keys).toHaveLength(1)
    expect(directed.guest.draft()?.state).toBe('paying')
    isCancellable = true
    directed.guest.settle('delete')
    await directed.run()
    expect(new Set(keys).size).toBe(2)
    expect(keys).toHaveLength(2)
    expect(directed.guest.draft()?.state).toBe('abandoned')
  })
})

describe('an extension that is repeated does not move the end of the hold backwards', () => {
  const holdEndsMs = ({ guest }: Directed) => guest.draft()?.holdExpiresAtMs ?? 0
  const passUntilLastMinute = (directed: Directed) =>
    directed.pass(holdEndsMs(directed) - now(directed) - MINUTE_MS)

  it('by a request to pay', async () => {
    const directed = await openDirected({ store })
    const { guest } = directed
    passUntilLastMinute(directed)
    // The extension is carried out, and the request fails after it.
    plan(directed, 'pricing.recheckQuote', 'unavailable')
    guest.pay(0)
    await directed.run()
    expect(guest.draft()?.state).toBe('collecting_details')
    guest.settle('extend')
    await directed.run()
    const extendedMs = holdEndsMs(directed)
    passUntilLastMinute(directed)
    guest.pay(0)
    await directed.run()
    expect(guest.draft()?.state).toBe('paying')
    expect(holdEndsMs(directed)).toBe(extendedMs)
  })

  it('by the guest', async () => {
    const directed = await openDirected({ store })
    const { simulation, guest } = directed
    const extend = async (key: string) => {
      const { sessionId } = guest
      simulation.request({ kind: 'extend', draftId: directed.draftId(), sessionId, key })
      await directed.run()
    }
    plan(directed, 'reservation.extend', 'response_lost')
    await extend('the first key')
    directed.pass(MINUTE_MS)
    await extend('the second key')
    const extendedMs = holdEndsMs(directed)
    await extend('the first key')
    expect(simulation.happened.get('extend response')).toBe(2)
    expect(holdEndsMs(directed)).toBe(extendedMs)
  })

  it('by the poller', async () => {
    const directed = await openDirected({ store })
    directed.guest.pay(WAITING_PHONE)
    await directed.run()
    passUntilLastMinute(directed)
    plan(directed, 'reservation.extend', 'response_lost')
    await poll(directed)
    directed.guest.settle('extend')
    await directed.run()
    const extendedMs = holdEndsMs(directed)
    // When the end that the lost response had is over.
    directed.pass(extendedMs - now(directed) - 10 * SECOND_MS)
    // The first call repeats the one whose response was lost, the second extends the hold.
    await poll(directed)
    expect(calls(directed, 'reservation.extend').map(({ isReplay }) => isReplay)).toEqual([
      false,
      false,
      true,
      false,
    ])
    expect(holdEndsMs(directed)).toBeGreaterThan(extendedMs)
  })
})
