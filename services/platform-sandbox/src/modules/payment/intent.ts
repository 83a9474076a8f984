import {
  type CurrencyCode,
  type IsoDateTime,
  type PaymentIntentId,
  type ReservationId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import type {
  CaptureMode,
  Intent,
  IntentStatus,
  PaymentMethod,
  paymentContract,
} from '@melmastoon/upstream-contracts/payment'
import type { WebhookDelivery } from '../../scenarios/scenario-board.ts'
import type { PaymentState } from './state-table.ts'

export type PaymentOperations = (typeof paymentContract)['operations']

export interface IntentRow {
  readonly tenant_id: string
  readonly payment_intent_id: string
  readonly reservation_id: string | null
  readonly draft_ref: string
  readonly method: PaymentMethod
  readonly provider: string
  readonly capture_mode: CaptureMode
  readonly status: IntentStatus
  readonly currency: CurrencyCode
  /** As digits: amounts may exceed the safe integer range. */
  readonly amount_micro: string
  readonly captured_micro: string
  readonly refunded_micro: string
  readonly decline_code: string | null
  readonly card_token: string | null
  readonly phone_ref: string | null
  readonly is_challenged: boolean
  readonly return_url: string | null
  readonly secret_hash: string
  readonly webhook_fate: WebhookDelivery | null
  readonly settle_as: 'approve' | 'decline' | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly expires_at: Date | null
  readonly is_overdue: boolean
}

/** The internal form of a payment; callers see {@link toIntent} of it. */
export interface StoredIntent extends PaymentState {
  readonly tenantId: TenantId
  readonly paymentIntentId: PaymentIntentId
  readonly reservationId: ReservationId | null
  readonly draftRef: string
  readonly method: PaymentMethod
  readonly provider: string
  readonly captureMode: CaptureMode
  readonly currency: CurrencyCode
  readonly cardToken: string | null
  readonly phoneRef: string | null
  readonly isChallenged: boolean
  readonly returnUrl: string | null
  readonly secretHash: string
  readonly webhookDelivery: WebhookDelivery | null
  readonly settleAs: 'approve' | 'decline' | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date | null
}

export function fromRow(row: IntentRow): StoredIntent {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    paymentIntentId: uuidToId('pyi', row.payment_intent_id),
    reservationId: row.reservation_id === null ? null : uuidToId('rsv', row.reservation_id),
    draftRef: row.draft_ref,
    method: row.method,
    provider: row.provider,
    captureMode: row.capture_mode,
    status: row.status,
    currency: row.currency,
    amountMicro: BigInt(row.amount_micro),
    capturedMicro: BigInt(row.captured_micro),
    refundedMicro: BigInt(row.refunded_micro),
    declineCode: row.decline_code,
    cardToken: row.card_token,
    phoneRef: row.phone_ref,
    isChallenged: row.is_challenged,
    returnUrl: row.return_url,
    secretHash: row.secret_hash,
    webhookDelivery: row.webhook_fate,
    settleAs: row.settle_as,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    isOverdue: row.is_overdue,
  }
}

/**
 * @param pageUrl the page for the payer; only for callers, never for webhooks: it contains a
 * secret.
 */
export function toIntent(stored: StoredIntent, pageUrl: string | null): Intent {
  const money = (micro: bigint) => ({ amountMicro: String(micro), currency: stored.currency })
  return {
    paymentIntentId: stored.paymentIntentId,
    ...(stored.reservationId !== null && { reservationId: stored.reservationId }),
    draftRef: stored.draftRef,
    method: stored.method,
    provider: stored.provider,
    captureMode: stored.captureMode,
    status: stored.status,
    nextAction: nextAction(stored.status, pageUrl),
    ...(stored.declineCode !== null && { declineCode: stored.declineCode }),
    amount: money(stored.amountMicro),
    capturedAmount: money(stored.capturedMicro),
    refundedAmount: money(stored.refundedMicro),
    version: stored.version,
    createdAt: toInstant(stored.createdAt),
    expiresAt: stored.expiresAt === null ? null : toInstant(stored.expiresAt),
  }
}

export function toInstant(date: Date): IsoDateTime {
  return date.toISOString() as IsoDateTime
}

function nextAction(status: IntentStatus, pageUrl: string | null): Intent['nextAction'] {
  if (status === 'processing') return { kind: 'wait' }
  return status === 'requires_action' && pageUrl !== null
    ? { kind: 'redirect', url: pageUrl }
    : null
}
