import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import { sweepAgainstClaim } from './orders/sweep-against-claim.ts'
import { allOrders, crashOnce, runOrder, STEPS } from './orders/trigger-orders.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const TIME_LIMIT_MS = Number(process.env['SIMULATION_SECONDS'] ?? '900') * 1_000
const ORDERS = allOrders()

/** In an order that spreads over all orders, so that a time limit leaves a sample. */
function spread<T>(values: readonly T[]): T[] {
  const step = 6_373
  return values.map((_, at) => values[(at * step) % values.length]).filter((v) => v !== undefined)
}

describe('return, webhook, confirm and poll in every order', () => {
  it(
    'PAY-02 one confirmation and one event, all 6,384 orders',
    async () => {
      for (const [seed, order] of ORDERS.entries()) {
        const { directed, confirmCalls } = await runOrder(order, seed, { store })
        expect([directed.changes('confirmed'), confirmCalls], order.join()).toEqual([1, 1])
      }
    },
    2 * TIME_LIMIT_MS,
  )

  it(
    'PAY-03 with a crash before and after each step',
    async () => {
      const crashes = STEPS.flatMap((step) => [
        { step, when: 'before' as const },
        { step, when: 'after' as const },
      ])
      const cases = ORDERS.flatMap((order) => crashes.map((crash) => ({ order, ...crash })))
      const endMs = performance.now() + TIME_LIMIT_MS
      let count = 0
      for (const { order, step, when } of spread(cases)) {
        if (performance.now() > endMs) break
        const { directed } = await runOrder(order, count, { store, crashAt: crashOnce(step, when) })
        expect(directed.changes('confirmed'), `${order.join()} ${when} ${step}`).toBe(1)
        count += 1
      }
      process.stdout.write(`${count} of ${cases.length} orders with a crash\n`)
    },
    TIME_LIMIT_MS + 60_000,
  )

  it(
    'PAY-52 the sweeper against a claim: one end, 10,000 trials',
    async () => {
      const ends = await sweepAgainstClaim(store, 10_000)
      process.stdout.write(`${JSON.stringify(ends)}\n`)
      expect(Math.min(ends.confirmed, ends.abandoned)).toBeGreaterThan(0)
    },
    2 * TIME_LIMIT_MS,
  )
})
