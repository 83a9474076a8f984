import { createDeadline } from '@melmastoon/chassis/clock'
import {
  forEachConcurrently,
  repeat,
  runUntilStopped,
  type WorkSource,
} from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import type { Worker } from '@melmastoon/chassis/service'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId, type TenantId, uuidToId } from '@melmastoon/domain'
import { selectDueFollowUps } from './follow-up-sql.ts'
import { processFollowUp } from './follow-ups.ts'
import { LOCKS_TOPIC, selectDueActions, selectHealth } from './lock-action-sql.ts'
import { selectDueAlerts } from './lock-alert-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { raiseAlert } from './raise-alerts.ts'
import { reconcileAction } from './reconcile-action.ts'

export interface ReconcilerDeps extends LockDeps {
  readonly relayDb: Database
  readonly errors: { for(component: string): (error: unknown) => void }
}

const POLL_MS = 1_000
/** However often it is woken. */
const HEALTH_EVERY_MS = 1_000
const BATCH = 50
/** Operators come first: background work takes few connections. */
const CONCURRENT = 4
/** All calls of one look. */
const BUDGET_MS = 8_000

/**
 * Settles actions whose outcome is open, whatever happened to the responses of the vendor. Without
 * due work it looks every few seconds, until work that is due is announced.
 */
export function startLockReconciler(
  deps: ReconcilerDeps & { readonly announcements: WorkSource },
): Worker {
  const onError = deps.errors.for('lock-reconciler')
  const { pollMs = POLL_MS } = deps.lockControls
  return runUntilStopped(async (signal) => {
    const announced = { source: deps.announcements, topic: LOCKS_TOPIC }
    // A test that sets the interval decides alone when it looks.
    const isSet = deps.lockControls.pollMs !== undefined
    const loop = { pollMs, full: BATCH, signal, onError, ...(!isSet && { announced }) }
    const observe = observeSometimes(deps)
    // Alerts on their own: a notification service that hangs delays no action.
    await Promise.all([
      repeat(() => observe().then(() => reconcileOpen(deps, signal)), loop),
      repeat(() => raiseDue(deps, signal), loop),
    ])
  })
}

/** @returns how many were due. */
export async function reconcileDue(deps: ReconcilerDeps, signal: AbortSignal): Promise<number> {
  await observeHealth(deps)
  return await reconcileOpen(deps, signal)
}

async function reconcileOpen(deps: ReconcilerDeps, signal: AbortSignal): Promise<number> {
  const { relayDb } = deps
  const actions = await relayDb.query(selectDueActions(BATCH))
  const followUps = await relayDb.query(selectDueFollowUps(BATCH))
  const work = [
    ...actions.map(({ tenant_id, action_id }) => {
      const ref = { tenantId: uuidToId('tnt', tenant_id), actionId: uuidToId('lap', action_id) }
      return task(deps, ref.tenantId, (call) => reconcileAction(deps, ref, call))
    }),
    ...followUps.map((row) =>
      task(deps, uuidToId('tnt', row.tenant_id), (call) => processFollowUp(deps, row, call)),
    ),
  ]
  await runTasks(deps, work, signal)
  return work.length
}

/** @returns how many alerts were due. */
export async function raiseDue(deps: ReconcilerDeps, signal: AbortSignal): Promise<number> {
  const alerts = await deps.relayDb.query(selectDueAlerts(BATCH))
  const work = alerts.map((row) =>
    task(deps, uuidToId('tnt', row.tenant_id), (call) => raiseAlert(deps, row, call)),
  )
  await runTasks(deps, work, signal)
  return work.length
}

function observeSometimes(deps: ReconcilerDeps): () => Promise<void> {
  let observedAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    const nowMs = performance.now()
    if (nowMs - observedAtMs < HEALTH_EVERY_MS) return
    observedAtMs = nowMs
    await observeHealth(deps)
  }
}

/** Metrics only: the work is done without them. */
async function observeHealth({ relayDb, lockMetrics, errors }: ReconcilerDeps): Promise<void> {
  try {
    const [health] = await relayDb.query(selectHealth())
    if (health !== undefined) lockMetrics.observe(health)
  } catch (error) {
    errors.for('lock-health')(error)
  }
}

type Task = () => Promise<void>

/** Outside of a request: with its own deadline and trace. */
function task(
  { config, clock }: LockDeps,
  tenantId: TenantId,
  work: (call: LockCall) => Promise<void>,
): Task {
  return async () => {
    using deadline = createDeadline(BUDGET_MS)
    const trace = newTrace()
    const cause = {
      producerInstance: config.instance,
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(trace),
      occurredAt: clock.now(),
    }
    await work({ deadline, trace, cause })
  }
}

/** A failed look does not delay the others. */
async function runTasks(
  { errors }: ReconcilerDeps,
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<void> {
  const onError = errors.for('lock-reconciler')
  await forEachConcurrently(tasks, CONCURRENT, async (next) => {
    if (!signal.aborted) await next().catch(onError)
  })
}
