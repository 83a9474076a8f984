import { seededDecisions } from '../decisions.ts'
import type { SimulationStore } from '../environment/simulation-store.ts'
import { openDirected } from './paid-booking.ts'

const LIFETIME_MS = 31 * 60_000

/**
 * The time of the draft is over while its guest pays: the sweeper closes the payment, or the money
 * is first. Each trial has another order of their tasks.
 */
export async function sweepAgainstClaim(store: SimulationStore, trials: number) {
  const ends = { confirmed: 0, abandoned: 0, failed: 0 }
  for (let seed = 0; seed < trials; seed += 1) {
    const decisions = seededDecisions(seed)
    const { simulation, guest, intent, run, pass } = await openDirected({ store, decisions })
    guest.pay(1 + 3 * 3)
    await run()
    pass(LIFETIME_MS - 5 * 60_000)
    const { payments } = simulation.upstream
    const { tenantId } = simulation.hotel
    payments.setTimes(tenantId, intent().paymentIntentId, {
      expiresAtMs: simulation.scheduler.clock.nowMs() + LIFETIME_MS,
    })
    pass(5 * 60_000)
    simulation.sweep()
    const pay = async () => payments.pay(tenantId, intent().paymentIntentId)
    simulation.scheduler.deliver('the guest pays', pay, decisions.choose(20))
    simulation.poll()
    guest.settle('return')
    await run()
    await simulation.drain()
    const state = guest.draft()?.state
    if (state !== 'confirmed' && state !== 'abandoned' && state !== 'failed') {
      throw new Error(`trial ${seed}: ${state}`)
    }
    ends[state] += 1
  }
  return ends
}
