import type { ClientOf } from '@melmastoon/bff/upstreams'
import type { Database } from '@melmastoon/chassis/db'
import type { TenantId } from '@melmastoon/domain'
import type { KeyRing } from '@melmastoon/security'
import type { paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import type { guestReservationContract } from '@melmastoon/upstream-contracts/reservation'
import type { Draft } from '../drafts/draft.ts'
import { type MessageDeps, systemCause } from '../drafts/draft-messages.ts'
import type { PaymentAttempt } from '../payments/attempt.ts'
import { type CallResult, callUpstream } from './call-upstream.ts'
import { deriveKey } from './derive-key.ts'
import type { Booking, FulfilmentRecord } from './fulfilment.ts'
import type { FulfilmentMeasures } from './fulfilment-measures.ts'
import { type FencedWrite, fencedWrite, selectBooking, toClaimed } from './fulfilment-sql.ts'
import type { Work } from './plan-step.ts'
import type { DraftRef, SettleOptions } from './settle.ts'

export interface FulfilmentDeps extends MessageDeps {
  readonly db: Database
  readonly upstreams: {
    readonly reservation: ClientOf<typeof guestReservationContract>
    readonly payment: ClientOf<typeof paymentContract>
    readonly pricing: Pick<ClientOf<typeof pricingContract>, 'recheckQuote' | 'createQuote'>
  }
  /** Derive the idempotency keys of upstream calls. */
  readonly fulfilmentKeys: KeyRing
  /** Open the guest details, and seal the frozen body of the confirm call. */
  readonly guestDataKeys: KeyRing
  readonly blocked: { has(tenantId: TenantId): boolean }
  readonly fulfilment: FulfilmentMeasures
}

/** One claim at work. */
export interface StepContext {
  readonly deps: FulfilmentDeps
  readonly ref: DraftRef
  readonly db: ReturnType<Database['scoped']>
  readonly options: SettleOptions
  /** The number of the claim. */
  readonly fence: number
}

/**
 * `unknown`: the outcome of the call is not known, so the booking is looked at again later.
 * `ended`: the step also ended the claim.
 */
export type StepResult =
  | { readonly kind: 'next'; readonly work: Work }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'ended'; readonly booking: Booking }

/** Another claim has taken the record over: this one must not do anything any more. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export function next(work: Work): StepResult {
  return { kind: 'next', work }
}

export function withRecord(work: Work, change: Partial<FulfilmentRecord>): Work {
  return { ...work, record: { ...work.record, ...change } }
}

export function withAttempt(work: Work, attempt: PaymentAttempt): Work {
  const attempts = work.attempts.map((each) => (each.no === attempt.no ? attempt : each))
  return { ...work, attempts }
}

/** False: the draft has changed since it was read. @throws Overtaken */
export async function commit(
  { db, ref, fence }: StepContext,
  write: Omit<FencedWrite, 'draftId' | 'fence'>,
): Promise<boolean> {
  const [done] = await db.query(fencedWrite({ ...write, draftId: ref.draftId, fence }))
  if (done !== undefined) return true
  if (write.draft === undefined) throw new Overtaken()
  return false
}

/** After a change of the draft by the guest: the claim goes on with what is stored. */
export async function reload({ db, ref, fence }: StepContext, work: Work): Promise<StepResult> {
  const [row] = await db.query(selectBooking(ref.draftId))
  const fresh = row === undefined ? null : toClaimed(row)
  if (fresh === null || fresh.record.attempt !== fence) throw new Overtaken()
  const isRevived = work.closing === 'expired' && Date.parse(fresh.draft.expiresAt) > +fresh.now
  const closing = isRevived ? null : work.closing
  // What was read and not stored is read again.
  return next({ ...work, ...fresh, closing, intents: new Map() })
}

/** The options of an upstream call with this key. */
export function callOptions({ ref, options }: StepContext, idempotencyKey: string) {
  const { deadline, trace } = options
  return { tenantId: ref.tenantId, deadline, trace, idempotencyKey }
}

export function readOptions({ ref, options }: StepContext) {
  return { tenantId: ref.tenantId, deadline: options.deadline, trace: options.trace }
}

/** As `callUpstream`; a reused key means that a request was not repeated as it was sent. */
export async function call<T, const C extends string>(
  { deps }: StepContext,
  codes: readonly C[],
  send: () => Promise<T>,
): Promise<CallResult<T, C>> {
  const result = await callUpstream(codes, send)
  const isReused = result.kind === 'unknown' && result.reason.endsWith('KEY_REUSED')
  if (isReused) deps.fulfilment.keyReused.inc({})
  return result
}

export function keyFor({ deps, ref }: StepContext, step: string, n: number): string {
  return deriveKey(deps.fulfilmentKeys, { ...ref, step, n })
}

export function causeOf({ deps }: StepContext, draft: Draft) {
  return systemCause(deps, draft, deps.clock.now())
}

export function unknown(reason: string): StepResult {
  return { kind: 'unknown', reason }
}

/** The context of a sealed confirm body: it opens for this draft only. */
export function confirmSeal({ tenantId, draftId }: DraftRef): readonly string[] {
  return [tenantId, draftId, 'confirm']
}
