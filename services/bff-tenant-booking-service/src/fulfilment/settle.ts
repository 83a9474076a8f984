import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Database, SqlFragment } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import type { BookingSessionId, DraftId, TenantId } from '@melmastoon/domain'
import { withConfirmRequested } from '../payments/attempt.ts'
import type { Booking, ClaimedBooking } from './fulfilment.ts'
import {
  claimOwnRecord,
  claimRecord,
  fencedWrite,
  selectBooking,
  toBooking,
  toClaimed,
} from './fulfilment-sql.ts'
import {
  type FulfilmentDeps,
  Overtaken,
  type StepContext,
  type StepResult,
} from './fulfilment-steps.ts'
import { type Closing, planStep, type Step, type Work } from './plan-step.ts'
import {
  capturePayment,
  confirmStay,
  decideConfirm,
  finishConfirmed,
} from './steps/confirm-stay.ts'
import { extendHold, recheckLateCash } from './steps/keep-hold.ts'
import { closeIntent, createIntent, readIntent } from './steps/learn-intent.ts'
import { cancelStay, decideRelease, finishReleased, returnMoney } from './steps/release-stay.ts'

export interface DraftRef {
  readonly tenantId: TenantId
  readonly draftId: DraftId
}

export interface SettleOptions extends UpstreamCall {
  /** What led here, for metrics. */
  readonly trigger: 'return' | 'confirm' | 'webhook' | 'poll' | 'sweep' | 'delete' | 'switch'
  readonly closing?: Closing | null
  /** The response to this confirmation, stored in the statement that confirms the booking. */
  readonly storeResponse?: StoreResponse | undefined
}

export type StoreResponse = (
  confirmed: Booking,
  onlyIf: SqlFragment,
) => { readonly effect: SqlFragment; committed(): void }

/** `busy`: another claim is working on it. */
export type SettleResult =
  | { readonly kind: 'settled'; readonly booking: Booking }
  | { readonly kind: 'busy' }

/** More than any booking needs; beyond it the poller continues later. */
const STEPS_MAX = 40

/**
 * Carries a booking as far as it goes now: redirect return, webhook, confirm and poller all call
 * it. The first claims the record, the others find it claimed. Every step is one upstream call or
 * one statement, and every step can be repeated by the next claim after a crash.
 */
export async function settleBooking(
  deps: FulfilmentDeps,
  ref: DraftRef,
  options: SettleOptions,
): Promise<SettleResult> {
  const db = deps.db.scoped(ref.tenantId)
  const onlyIfDue = options.trigger === 'poll'
  const [row] = await db.query(claimRecord(ref.draftId, { onlyIfDue }))
  crashPoint('fulfilment.after_claim')
  if (row === undefined) return { kind: 'busy' }
  return await carryOutClaim({ deps, ref, db, options }, toClaimed(row))
}

export interface OwnDraftRef extends DraftRef {
  readonly sessionId: BookingSessionId
}

/** `unclaimed`: settled, without a payment, or claimed by another. */
export type OwnSettleResult =
  | SettleResult
  | { readonly kind: 'unclaimed'; readonly booking: Booking }

/** The same for the guest whose draft it is. Null: their session has no such draft (D18). */
export async function settleOwnBooking(
  deps: FulfilmentDeps,
  { sessionId, ...ref }: OwnDraftRef,
  options: SettleOptions,
): Promise<OwnSettleResult | null> {
  const db = deps.db.scoped(ref.tenantId)
  const confirms = options.trigger === 'confirm'
  const [row] = await db.query(claimOwnRecord(ref.draftId, { sessionId, confirms }))
  crashPoint('fulfilment.after_claim')
  if (row === undefined) return null
  // The statement that stores the request reads the attempts as they were before.
  const asRequested = <B extends Booking>(booking: B): B =>
    confirms ? { ...booking, attempts: booking.attempts.map(withConfirmRequested) } : booking
  if (!row.claimed) return { kind: 'unclaimed', booking: asRequested(toBooking(row)) }
  return await carryOutClaim({ deps, ref, db, options }, asRequested(toClaimed(row)))
}

async function carryOutClaim(
  claim: Omit<StepContext, 'fence'>,
  claimed: ClaimedBooking,
): Promise<SettleResult> {
  const { deps, options } = claim
  deps.fulfilment.claims.inc({ trigger: options.trigger })
  const context: StepContext = { ...claim, fence: claimed.record.attempt }
  const closing = options.closing ?? closingOf(deps, claimed)
  const work = { ...claimed, intents: new Map(), recheck: null, closing }
  try {
    return { kind: 'settled', booking: await carryOut(context, work) }
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
    deps.fulfilment.fenceLost.inc({})
    return { kind: 'busy' }
  }
}

/** A draft whose time is over, or whose hotel is suspended, gets no new money. */
function closingOf(deps: FulfilmentDeps, { draft, now }: Booking): Closing | null {
  if (Date.parse(draft.expiresAt) <= now.getTime()) return 'expired'
  return deps.blocked.has(draft.tenantId) ? 'suspended' : null
}

async function carryOut(context: StepContext, start: Work): Promise<Booking> {
  let work = start
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const step = planStep(work)
    if (step.kind === 'wait') return await pause(context, work, { isIdle: step.idle })
    const result = await runStep(context, work, step)
    crashPoint(`fulfilment.after_${step.kind.replaceAll('-', '_')}`)
    if (result.kind === 'ended') return result.booking
    if (result.kind === 'unknown') {
      return await pause(context, work, { isIdle: false, lastError: result.reason })
    }
    work = result.work
  }
  return await pause(context, work, { isIdle: false })
}

function runStep(
  context: StepContext,
  work: Work,
  step: Exclude<Step, { kind: 'wait' }>,
): Promise<StepResult> {
  context.deps.fulfilment.steps.inc({ step: step.kind })
  switch (step.kind) {
    case 'create-intent':
      return createIntent(context, work, step.attempt)
    case 'read-intent':
      return readIntent(context, work, step.attempt)
    case 'close-intent':
      return closeIntent(context, work, step.attempt)
    case 'return-money':
      return returnMoney(context, work, step.attempt)
    case 'recheck-price':
      return recheckLateCash(context, work)
    case 'extend-hold':
      return extendHold(context, work)
    case 'decide-confirm':
      return decideConfirm(context, work, step.attempt)
    case 'decide-release':
      return decideRelease(context, work, step.reason)
    case 'confirm-stay':
      return confirmStay(context, work)
    case 'capture':
      return capturePayment(context, work, step.attempt)
    case 'finish-confirmed':
      return finishConfirmed(context, work)
    case 'cancel-stay':
      return cancelStay(context, work)
    case 'finish-released':
      return finishReleased(context, work)
  }
}

interface Pause {
  /** Nothing is expected: the poller does not look again. */
  readonly isIdle: boolean
  readonly lastError?: string
}

/** Ends the claim. */
async function pause(
  { db, ref, fence }: StepContext,
  work: Work,
  { isIdle, lastError = '' }: Pause,
): Promise<Booking> {
  const nextSeconds = isIdle ? null : pollDelaySeconds(work)
  const release = { nextSeconds, lastError: lastError === '' ? null : lastError }
  await db.query(fencedWrite({ draftId: ref.draftId, fence, change: {}, release }))
  return work
}

const FIRST_DELAYS = [2, 5, 10, 20]
const USUAL_DELAY = 30
const LATE_DELAY = 300
/** An intent lives for 30 minutes and may still wait ten more for its provider. */
const LATE_AFTER_TRIES = 120

function pollDelaySeconds({ record }: Work): number {
  const { tries } = record
  if (tries > LATE_AFTER_TRIES) return LATE_DELAY
  return FIRST_DELAYS[tries - 1] ?? USUAL_DELAY
}

/** In the scope of the tenant. */
export async function readBooking(
  db: Pick<ReturnType<Database['scoped']>, 'query'>,
  draftId: DraftId,
): Promise<Booking | null> {
  const [row] = await db.query(selectBooking(draftId))
  return row === undefined ? null : toBooking(row)
}
