import {
  type CurrencyCode,
  type PaymentIntentId,
  problem,
  type ReservationId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type {
  CaptureMode,
  Intent,
  PaymentMethod,
  paymentContract,
} from '@melmastoon/upstream-contracts/payment'
import { minorOf, type PaymentChange, type PaymentState } from './payment-moves.ts'
import { amountDecline, cardOf } from './test-payers.ts'

type CreateBody = InputOf<typeof paymentContract.operations.createIntent>['body']

export interface StoredIntent extends PaymentState {
  readonly tenantId: TenantId
  readonly paymentIntentId: PaymentIntentId
  readonly reservationId: ReservationId | undefined
  readonly draftRef: string
  readonly method: PaymentMethod
  readonly provider: string
  readonly captureMode: CaptureMode
  readonly currency: CurrencyCode
  readonly cardToken: string | undefined
  readonly isChallenged: boolean
  readonly settleAs: 'approve' | 'decline' | null
  readonly settleAtMs: number | null
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  /** Of its creation. */
  readonly key: string
}

/** As shown to callers, with the page while the payer has to act there; never in webhooks. */
export function showIntent(stored: StoredIntent, page: string | null = pageOf(stored)): Intent {
  const { currency, reservationId, declineCode, expiresAtMs } = stored
  const money = (micro: bigint) => ({ amountMicro: String(micro), currency })
  return {
    paymentIntentId: stored.paymentIntentId,
    ...(reservationId !== undefined && { reservationId }),
    draftRef: stored.draftRef,
    method: stored.method,
    provider: stored.provider,
    captureMode: stored.captureMode,
    status: stored.status,
    nextAction: nextActionOf(stored, page),
    ...(declineCode !== null && { declineCode }),
    amount: money(stored.amountMicro),
    capturedAmount: money(stored.capturedMicro),
    refundedAmount: money(stored.refundedMicro),
    version: stored.version,
    createdAt: toIsoDateTime(new Date(stored.createdAtMs)),
    expiresAt: expiresAtMs === null ? null : toIsoDateTime(new Date(expiresAtMs)),
  }
}

function pageOf({ paymentIntentId }: StoredIntent): string {
  return `https://pay.example/${paymentIntentId}`
}

function nextActionOf({ status }: StoredIntent, page: string | null): Intent['nextAction'] {
  if (status === 'processing') return { kind: 'wait' }
  return status === 'requires_action' && page !== null ? { kind: 'redirect', url: page } : null
}

export function approvalOf({ captureMode }: StoredIntent): PaymentChange {
  return { move: captureMode === 'manual' ? 'authorize' : 'settle' }
}

/** Null while the payer has to act first. */
export function chargeOf(intent: StoredIntent, token: string): PaymentChange | null {
  const card = cardOf(token)
  if (card === undefined) return null
  const declined = declineOf(intent) ?? (card.outcome === 'decline' ? card.declineCode : undefined)
  if (declined !== undefined) return { move: 'fail', reasonCode: declined }
  return card.outcome === 'verify' ? null : approvalOf(intent)
}

export function declineOf({ amountMicro, currency }: StoredIntent): string | undefined {
  return amountDecline(minorOf(amountMicro, currency))
}

export function rejectDeclined({ cardToken }: StoredIntent): void {
  const declineCode = cardToken === undefined ? undefined : cardOf(cardToken)?.captureDeclineCode
  if (declineCode === undefined) return
  throw problem('MELMASTOON.PAYMENT.DECLINED', { extensions: { declineCode } })
}

/** The stored response of this key has expired, the payment has not. */
export function sameRequest(earlier: StoredIntent, body: CreateBody): StoredIntent {
  const isSame =
    earlier.draftRef === body.draftRef &&
    earlier.method === body.method &&
    earlier.captureMode === body.captureMode &&
    earlier.reservationId === body.reservationId &&
    String(earlier.amountMicro) === body.amount.amountMicro &&
    earlier.currency === body.amount.currency
  if (isSame) return earlier
  throw problem('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
}

export function invalid() {
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED')
}
