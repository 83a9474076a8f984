import type { Clock, TimeLimit } from '@melmastoon/chassis/clock'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import type { ProblemCode } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { registry } from '../events/registry.ts'
import type { ChangeCall } from '../upstreams/staff-change.ts'
import { type DeviceClock, isTooOld } from './device-clock.ts'
import { evaluateIntent } from './evaluate-intent.ts'
import type { Finding, Intent } from './intent.ts'
import { decisionOf, type Found } from './intent-decision.ts'
import type { ClaimResult, IntentStore, NewIntent, StoredIntent } from './intent-store.ts'
import { findIntentKind, type IntentTableDeps } from './intent-table.ts'
import { contentHashOf, newIntent, type ReceivedIntent, type Sender } from './new-intent.ts'

export interface SettleDeps extends IntentTableDeps {
  readonly intentStore: IntentStore
  readonly registry: Pick<typeof registry, 'build'>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The batch that an intent arrived in. */
export interface BatchContext extends Omit<ChangeCall, 'idempotencyKey'>, Sender {
  readonly cause: () => EventContext
}

export interface IntentToSettle extends ReceivedIntent {
  /** Set if its dependency was not applied. */
  readonly obstacle: ProblemCode | null
}

export type Settled =
  | { readonly kind: 'decided'; readonly stored: StoredIntent; readonly replayed: boolean }
  | { readonly kind: 'pending' }
  | { readonly kind: 'reused' }
  /** No verdict is stored: it can be corrected, and a later version may know its name. */
  | { readonly kind: 'invalid' }

/**
 * Claim, upstream, verdict. After a crash the device sends the intent again: the same key upstream,
 * or the history of the resource, tells whether it was applied. Never rejects: an outcome that is
 * not known is `pending`.
 */
export async function settleIntent(
  deps: SettleDeps,
  wanted: IntentToSettle,
  batch: BatchContext,
): Promise<Settled> {
  try {
    if (!wanted.isValid) return await settleInvalid(deps, wanted, batch)
    const { intentStore, clock } = deps
    const claimedAtMs = clock.monotonicMs()
    const claim = await intentStore.claim(newIntent(wanted.intent, batch), batch.deadline)
    const isClaimed = () => clock.monotonicMs() - claimedAtMs < intentStore.leaseMs
    return await settleClaim(deps, { wanted, claim, isClaimed }, batch)
  } catch (error) {
    deps.onError(error)
    return { kind: 'pending' }
  }
}

/** During an update it may be valid for another process: then the verdict of that one counts. */
async function settleInvalid(
  { intentStore }: SettleDeps,
  { intent }: IntentToSettle,
  batch: BatchContext,
): Promise<Settled> {
  const stored = await intentStore.find(batch.operator, intent.intentId, batch.deadline)
  if (stored === null) return { kind: 'invalid' }
  if (stored.contentHash !== contentHashOf(intent)) return { kind: 'reused' }
  return stored.verdict === null ? { kind: 'pending' } : { kind: 'decided', stored, replayed: true }
}

interface Attempt {
  readonly wanted: IntentToSettle
  readonly claim: ClaimResult
  readonly isClaimed: () => boolean
}

async function settleClaim(
  deps: SettleDeps,
  { wanted, claim, isClaimed }: Attempt,
  batch: BatchContext,
): Promise<Settled> {
  if (claim.kind === 'busy') return { kind: 'pending' }
  if (claim.kind === 'reused') return { kind: 'reused' }
  if (claim.kind === 'decided') return { ...claim, replayed: true }
  const { stored } = claim
  crashPoint('intents.after_claim')
  try {
    const finding = await findVerdict(deps, { wanted, stored, isClaimed }, batch)
    crashPoint('intents.after_upstream')
    return await storeVerdict(deps, { stored, finding }, batch)
  } catch (error) {
    await deps.intentStore.release(stored, releaseLimit).catch(deps.onError)
    throw error
  }
}

/** The deadline of the batch may have passed; the lease ends by itself otherwise. */
const releaseLimit: TimeLimit = { remainingMs: () => 500 }

/**
 * Two devices may use the same id, so that neither is taken for the other's: the key upstream and
 * the cause in the history contain both.
 */
const causationIdOf = ({ intentId, deviceId }: Pick<NewIntent, 'intentId' | 'deviceId'>) =>
  `${intentId}.${deviceId}`

interface ClaimedIntent extends Omit<Attempt, 'claim'> {
  readonly stored: StoredIntent
}

async function findVerdict(
  deps: SettleDeps,
  { wanted: { intent, obstacle }, stored, isClaimed }: ClaimedIntent,
  { operator, deadline, trace, cause, deviceClock }: BatchContext,
): Promise<Finding> {
  const kind = findIntentKind(intent.name)
  if (kind === undefined) throw new TypeError('an intent with an unknown name was claimed')
  const causationId = causationIdOf(stored)
  const { tenantId, deviceId, operatorId } = stored
  const actor = { tenantId, deviceId, operatorId }
  const isRepeated = stored.attempt > 1
  const sender = { ...operator, operatorId }
  const bound = kind.bind(deps, intent, { causationId, actor, operator: sender, isRepeated })
  const { operation } = kind
  const forbidden = obstacle ?? ageOf(deviceClock, intent, stored)
  const evaluated = { operation, bound, operator, isRepeated, isClaimed, obstacle: forbidden }
  const keys = { idempotencyKey: causationId, causationId }
  return await evaluateIntent(evaluated, { deadline, trace, ...keys, cause: cause() })
}

function ageOf(
  clock: DeviceClock,
  intent: Intent,
  { occurredAt, receivedAt }: StoredIntent,
): ProblemCode | null {
  if (occurredAt === null) return null
  const isExpired = isTooOld(clock, intent.occurredAt, { occurredAt, receivedAt })
  return isExpired ? 'MELMASTOON.BFF.BACKOFFICE.INTENT_EXPIRED' : null
}

async function storeVerdict(deps: SettleDeps, found: Found, batch: BatchContext): Promise<Settled> {
  const { stored, finding } = found
  const { registry, clock } = deps
  const context = { ...batch, registry, decidedAt: clock.now(), cause: batch.cause() }
  const decision = decisionOf(found, context)
  const { deadline } = batch
  if (!(await deps.intentStore.decide(stored, decision, deadline))) {
    const { tenantId, deviceId, intentId } = stored
    const current = await deps.intentStore.find({ tenantId, deviceId }, intentId, deadline)
    if (current === null || current.verdict === null) return { kind: 'pending' }
    return { kind: 'decided', stored: current, replayed: true }
  }
  crashPoint('intents.after_verdict')
  return { kind: 'decided', stored: { ...stored, ...finding }, replayed: false }
}
