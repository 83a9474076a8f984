import type { PaymentIntentId, ReservationId } from '@melmastoon/domain'
import type { CaptureMode, Intent } from '@melmastoon/upstream-contracts/payment'
import type { Draft } from '../drafts/draft.ts'
import { isFinal } from '../drafts/draft-states.ts'
import { isActive, type PaymentAttempt } from '../payments/attempt.ts'

export type FulfilmentState = 'open' | 'confirming' | 'releasing' | 'confirmed' | 'released'

/** How far the decision was carried out: what a crash need not repeat. */
export type RecoveryPoint = 'open' | 'decided' | 'stay_confirmed' | 'stay_cancelled'

/** Why a booking was not confirmed, or ended. */
export const RELEASE_REASONS = [
  'sold_out',
  'price_changed',
  'cancelled',
  'amount',
  'declined',
  'confirmed_elsewhere',
  'abandoned',
  'deleted',
] as const
export type ReleaseReason = (typeof RELEASE_REASONS)[number]

/** One per draft: the only place where it is decided whether money becomes a stay or a refund. */
export interface FulfilmentRecord {
  readonly state: FulfilmentState
  readonly decision: 'confirm' | 'release' | null
  readonly recoveryPoint: RecoveryPoint
  readonly reservationId: ReservationId
  readonly intentId: PaymentIntentId | null
  readonly captureMode: CaptureMode | null
  readonly consentedDigest: string
  readonly amount: Intent['amount']
  readonly confirmRequest: Buffer | null
  readonly confirmNo: number
  readonly confirmKey: string | null
  readonly captureKey: string | null
  readonly cancelKey: string | null
  /** The fence: the number of the claim that read this. */
  readonly attempt: number
  readonly nextAt: Date | null
  readonly tries: number
  readonly outcomeCode: 'confirmed' | ReleaseReason | null
  readonly settledAt: Date | null
}

/** A draft with its payments, as one statement reads it. */
export interface Booking {
  readonly draft: Draft
  /** Null until the first payment attempt. */
  readonly record: FulfilmentRecord | null
  readonly attempts: readonly PaymentAttempt[]
  /** The clock of the database, which all decisions about time use. */
  readonly now: Date
}

/** The booking of a claim. */
export type ClaimedBooking = Booking & { readonly record: FulfilmentRecord }

export function isSettled({ state }: FulfilmentRecord): boolean {
  return state === 'confirmed' || state === 'released'
}

/** A payment may still bring money, or what was decided about it is not carried out yet. */
export function isInProgress({ draft, record, attempts }: Booking): boolean {
  if (isFinal(draft.state)) return false
  return (record !== null && record.decision !== null) || attempts.some(isActive)
}

/** The attempt that pays for the stay, once decided. */
export function payingAttempt({ record, attempts }: ClaimedBooking): PaymentAttempt | undefined {
  if (record.intentId === null) return undefined
  return attempts.find(({ intentId }) => intentId === record.intentId)
}
