import { createDeadline } from '@melmastoon/chassis/clock'
import { forEachConcurrently, repeat, runUntilStopped } from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import type { Worker } from '@melmastoon/chassis/service'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { toDue } from '../drafts/draft-sql.ts'
import { selectDraftHealth, selectDueRecords, selectHealth } from './fulfilment-sql.ts'
import type { FulfilmentDeps } from './fulfilment-steps.ts'
import { type DraftRef, type SettleOptions, settleBooking } from './settle.ts'

export interface PollerDeps extends FulfilmentDeps {
  readonly relayDb: Database
  readonly errors: { for(component: string): (error: unknown) => void }
}

export interface PollerOptions {
  /** How long an idle poller waits between two looks. */
  readonly idleMs?: number
}

const IDLE_MS = 1_000
const BATCH = 200
/** Guests come first: background work never takes more than half of the connections. */
export const CONCURRENT_BOOKINGS = 4
/** All calls of one booking; far more than one call takes. */
const BUDGET_MS = 8_000
const HEALTH_EVERY_MS = 15_000

/** Settles what is due, whatever happened to the notifications of the provider (E13). */
export function startPoller(deps: PollerDeps, { idleMs = IDLE_MS }: PollerOptions = {}): Worker {
  const onError = deps.errors.for('fulfilment-poller')
  let healthAtMs = 0
  const look = async (signal: AbortSignal) => {
    if (deps.clock.monotonicMs() >= healthAtMs) {
      healthAtMs = deps.clock.monotonicMs() + HEALTH_EVERY_MS
      await observeHealth(deps)
    }
    return await pollOnce(deps, signal)
  }
  return runUntilStopped((signal) =>
    repeat(() => look(signal), { pollMs: idleMs, full: BATCH, signal, onError }),
  )
}

/** @returns how many were due. */
export async function pollOnce(deps: PollerDeps, signal: AbortSignal): Promise<number> {
  const rows = await deps.relayDb.query(selectDueRecords(BATCH))
  const due = rows.map(toDue)
  const onError = deps.errors.for('fulfilment-poller')
  await forEachConcurrently(due, CONCURRENT_BOOKINGS, async (ref) => {
    if (signal.aborted) return
    await settleInBackground(deps, ref, { trigger: 'poll' }).catch(onError)
  })
  return due.length
}

/** Outside of a request: with its own deadline and trace. */
export async function settleInBackground(
  deps: FulfilmentDeps,
  ref: DraftRef,
  options: Pick<SettleOptions, 'trigger' | 'closing'>,
) {
  using deadline = createDeadline(BUDGET_MS)
  return await settleBooking(deps, ref, { ...options, deadline, trace: newTrace() })
}

async function observeHealth({ relayDb, fulfilment }: PollerDeps): Promise<void> {
  const [health] = await relayDb.query(selectHealth())
  const [drafts] = await relayDb.query(selectDraftHealth())
  if (health === undefined || drafts === undefined) return
  fulfilment.dueLagSeconds.set({}, health.dueLagSeconds)
  fulfilment.triesMax.set({}, health.triesMax)
  fulfilment.capturedUnsettledOldestSeconds.set({}, health.capturedUnsettledOldestSeconds)
  fulfilment.activeDrafts.set({}, drafts.active)
  fulfilment.draftOverdueOldestSeconds.set({}, drafts.overdueOldestSeconds)
}
