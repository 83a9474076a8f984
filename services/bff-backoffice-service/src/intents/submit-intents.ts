import type { Deadline } from '@melmastoon/chassis/clock'
import type { ProblemCode } from '@melmastoon/domain'
import { mayUseProperty } from '../access/operator.ts'
import { readDeviceClock } from './device-clock.ts'
import { DEPENDENCY_FAILED, holdIntent, type Wait } from './hold-intent.ts'
import type { Verdict } from './intent.ts'
import {
  describeStored,
  type IntentResult,
  invalidResult,
  pendingResult,
  rejectedResult,
} from './intent-view.ts'
import { parseIntent } from './parse-intent.ts'
import { type PlannedIntent, planBatch } from './plan-batch.ts'
import { runInOrder } from './run-in-order.ts'
import { type BatchContext, type SettleDeps, type Settled, settleIntent } from './settle-intent.ts'

/** What a device sends when it is online again. */
export interface Batch extends Omit<BatchContext, 'deviceClock'> {
  readonly sentAt: Date
  readonly intents: readonly unknown[]
  readonly deadline: Deadline
}

/** Resources that are changed at the same time. */
const PARALLEL_MAX = 8
/** No intent is begun when less is left. */
const INTENT_MS = 1_000

/** One result per intent, in the order of the request; an invalid one does not affect others. */
export async function submitIntents(deps: SettleDeps, batch: Batch): Promise<IntentResult[]> {
  const { operator, deadline } = batch
  const receivedAt = deps.clock.now()
  const last = await deps.intentStore.lastContact(operator, deadline)
  const context = { ...batch, deviceClock: readDeviceClock(batch, receivedAt, last) }
  const planned = planBatch(batch.intents.map(parseIntent)).map((each) => ({
    ...each,
    waitsFor: [...each.after, ...(isWaiting(each) ? [each.dependency] : [])],
  }))
  return await runInOrder(planned, PARALLEL_MAX, (each, results) =>
    submitIntent(deps, { each, results }, context),
  )
}

type Waiting = PlannedIntent & { readonly dependency: number }

const isWaiting = (each: PlannedIntent): each is Waiting =>
  each.dependency !== undefined && !each.isCyclic

interface Turn {
  readonly each: PlannedIntent
  readonly results: ReadonlyMap<number, IntentResult>
}

async function submitIntent(
  deps: SettleDeps,
  turn: Turn,
  batch: BatchContext,
): Promise<IntentResult> {
  const { intentId, intent, errors } = turn.each
  if (intentId === null || intent === undefined) return invalidResult(intentId, errors)
  if (batch.deadline.remainingMs() < INTENT_MS) return pendingResult(intentId)
  try {
    const received = { intent, isValid: errors.length === 0 }
    const readiness = await readinessOf(deps, turn, batch)
    const settled =
      'wait' in readiness
        ? await holdIntent(deps, { received, wait: readiness.wait }, batch)
        : await settleIntent(deps, { ...received, ...readiness }, batch)
    if (settled.kind === 'invalid') return invalidResult(intentId, errors)
    return describeSettled(intentId, settled, batch)
  } catch (error) {
    // Whatever fails for one intent does not affect the others.
    deps.onError(error)
    return pendingResult(intentId)
  }
}

function describeSettled(
  intentId: string,
  settled: Exclude<Settled, { readonly kind: 'invalid' }>,
  { operator }: BatchContext,
): IntentResult {
  if (settled.kind === 'pending') return pendingResult(intentId)
  if (settled.kind === 'reused') {
    return rejectedResult(intentId, 'MELMASTOON.BFF.BACKOFFICE.INTENT_ID_REUSED')
  }
  const { stored, replayed } = settled
  // As for the verdict by its id: the scope is that of now.
  if (replayed && stored.propertyId !== null && !mayUseProperty(operator, stored.propertyId)) {
    return rejectedResult(intentId, 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  }
  return describeStored(stored, replayed)
}

/** What an intent has to wait for, or why it cannot be applied; null: it can be attempted. */
type Readiness = { readonly wait: Wait } | { readonly obstacle: ProblemCode | null }

const READY = { obstacle: null } as const
const FAILED = { obstacle: DEPENDENCY_FAILED } as const

async function readinessOf(
  { intentStore }: SettleDeps,
  { each, results }: Turn,
  { operator, deadline }: BatchContext,
): Promise<Readiness> {
  // An intent that overtakes an earlier one on the same resource would find the wrong version.
  const isHeldBack = each.after.some((position) => results.get(position)?.pending === true)
  if (isHeldBack) return { wait: 'earlier-intent' }
  const { dependsOn } = each.intent ?? {}
  if (dependsOn === undefined) return READY
  if (each.isCyclic) return FAILED
  const result = each.dependency === undefined ? undefined : results.get(each.dependency)
  if (result !== undefined) return afterDependency(result.verdict)
  const stored = await intentStore.find(operator, dependsOn, deadline)
  if (stored === null) return { wait: 'missing-dependency' }
  return afterDependency(stored.verdict?.verdict)
}

/** Whether the intent that this one depends on has reached its goal, in this batch or before. */
function afterDependency(verdict: Verdict['verdict'] | undefined): Readiness {
  if (verdict === undefined) return { wait: 'undecided-dependency' }
  return verdict === 'applied' || verdict === 'already_done' ? READY : FAILED
}
