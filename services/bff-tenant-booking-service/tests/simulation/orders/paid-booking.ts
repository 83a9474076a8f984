import type { DraftId } from '@melmastoon/domain'
import type { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { type Decisions, replayedDecisions } from '../decisions.ts'
import { Simulation, type SimulationOptions } from '../environment/simulation.ts'
import { Guest } from '../histories/guest.ts'
import type { StoredIntent } from '../upstream/stored-intent.ts'

export interface Directed {
  readonly simulation: Simulation
  readonly guest: Guest
  readonly draftId: () => DraftId
  readonly intent: () => StoredIntent
  /** Sent by the payment service and not yet delivered. */
  readonly webhooks: () => PaymentWebhook[]
  /** Runs until nothing is left to do now, or for so long. */
  readonly run: (durationMs?: number) => Promise<void>
  /** Passes without any job: a process that was down, a queue that was full. */
  readonly pass: (durationMs: number) => void
  /** The effects that the platform has seen. */
  readonly changes: (kind: 'confirmed' | 'refunded') => number
}

export type DirectedOptions = Omit<SimulationOptions, 'decisions'> & {
  /** Applies when the booking is prepared. */
  readonly decisions?: Decisions
}

/** A booking with details, in a simulation in which nothing happens by itself. */
export async function openDirected({
  decisions = replayedDecisions([]),
  ...options
}: DirectedOptions): Promise<Directed> {
  await options.store.reset()
  const simple = replayedDecisions([])
  let source: Decisions = simple
  const simulation = new Simulation({
    ...options,
    decisions: { choose: (count) => source.choose(count) },
  })
  simulation.isAutomatic = false
  simulation.isCalm = true
  const guest = new Guest(simulation)
  const directed = toDirected(simulation, guest)
  for (const step of [0, 1]) {
    guest.next(step)
    await directed.run()
  }
  simulation.isCalm = false
  source = decisions
  return directed
}

/** Paid by card, and authorised; the webhook is not delivered. */
export async function openPaid(options: DirectedOptions, method = 0): Promise<Directed> {
  const directed = await openDirected(options)
  const { simulation, guest } = directed
  simulation.isCalm = true
  guest.pay(method)
  await directed.run()
  simulation.isCalm = false
  const { tenantId } = simulation.hotel
  simulation.upstream.payments.pay(tenantId, directed.intent().paymentIntentId)
  // The record is due for the poller.
  directed.pass(3_000)
  return directed
}

function toDirected(simulation: Simulation, guest: Guest): Directed {
  const { payments, audit } = simulation.upstream
  const required = <T>(value: T | undefined): T => {
    if (value === undefined) throw new TypeError('the booking is not prepared')
    return value
  }
  return {
    simulation,
    guest,
    draftId: () => required(guest.draft()).draftId,
    intent: () => required(payments.all().at(-1)),
    webhooks: () => payments.webhooks.splice(0),
    run: (durationMs = 30_000) => simulation.scheduler.runFor(durationMs),
    pass: (durationMs) => simulation.scheduler.clock.advance(durationMs),
    changes: (kind) =>
      audit.entries.filter((entry) =>
        kind === 'confirmed'
          ? entry.kind === 'reservation' && entry.to === 'confirmed'
          : entry.kind === 'intent' && entry.by === 'service' && entry.to === 'refunded',
      ).length,
  }
}
