import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUARDS } from './environment/guards.ts'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import { allOrders, crashOnce, type Order, runOrder, STEPS } from './orders/trigger-orders.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const ORDERS = allOrders()
const sample = (every: number): [Order, number][] =>
  ORDERS.map((order, seed): [Order, number] => [order, seed]).filter(
    ([, seed]) => seed % every === 0,
  )

/** All orders, and all crashes, are in orders.faults.test.ts. */
describe('return, webhook, confirm and poll in any order', () => {
  it('PAY-02 one confirmation and one event, for a sample of the 6,384 orders', async () => {
    expect(ORDERS).toHaveLength(6_384)
    for (const [order, seed] of sample(89)) {
      const { directed, confirmCalls } = await runOrder(order, seed, { store })
      expect([directed.changes('confirmed'), confirmCalls], order.join()).toEqual([1, 1])
      expect(directed.guest.draft()?.state).toBe('confirmed')
    }
  }, 120_000)

  it('PAY-03 with a crash before or after a step, for a sample', async () => {
    let count = 0
    for (const [order, seed] of sample(131)) {
      const step = STEPS[seed % STEPS.length] ?? 'claim'
      const crashAt = crashOnce(step, seed % 2 === 0 ? 'before' : 'after')
      const { directed } = await runOrder(order, seed, { store, crashAt })
      expect(directed.changes('confirmed'), `${order.join()} ${step}`).toBe(1)
      count += 1
    }
    process.stdout.write(`${count} orders with a crash\n`)
  }, 120_000)

  it('PAY-04 control: without the claim, several confirm at once', async () => {
    const guard = GUARDS.find(({ name }) => name === 'claim')
    const results = new Set<string>()
    for (const [order, seed] of sample(211)) {
      const run = runOrder(order, seed, { store, ignored: [], ...guard?.options?.() })
      results.add(
        await run.then(
          () => 'passed',
          (error: Error) => error.message.split(':')[0] ?? '',
        ),
      )
    }
    expect([...results]).toContain('claim')
  }, 120_000)
})
