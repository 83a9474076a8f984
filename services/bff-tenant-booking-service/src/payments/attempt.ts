import type { DraftId, Locale, PaymentIntentId, TenantId } from '@melmastoon/domain'
import type {
  CaptureMode,
  Intent,
  IntentStatus,
  PaymentMethod,
} from '@melmastoon/upstream-contracts/payment'

/**
 * `creating`: the call that creates the intent may or may not have landed. `open`: it waits for the
 * payer. `paid`: it has money, or a promise of cash. `closed`: it will bring no money. `refunded`:
 * its money was returned.
 */
export type AttemptStatus = 'creating' | 'open' | 'paid' | 'closed' | 'refunded'

/** One attempt of a guest to pay; a draft keeps all of them. */
export interface PaymentAttempt {
  readonly no: number
  readonly key: string
  readonly cancelKey: string
  readonly refundKey: string
  readonly refundNo: number
  readonly intentId: PaymentIntentId | null
  readonly method: PaymentMethod
  readonly provider: string | null
  readonly captureMode: CaptureMode
  readonly digest: string
  readonly amount: Intent['amount']
  readonly returnUrl: string | null
  readonly phoneRef: string | null
  /** Of the provider's page; null in attempts that were begun without one. */
  readonly locale: Locale | null
  /** Cash: the guest has asked to book with this promise. Choosing a method books nothing. */
  readonly isConfirmRequested: boolean
  readonly status: AttemptStatus
  readonly intentStatus: IntentStatus | null
  readonly intentVersion: number
  readonly declineCode: string | null
  readonly nextAction: Intent['nextAction']
  readonly role: 'none' | 'paying' | 'surplus'
  readonly refundedMicro: string
}

export interface AttemptRef {
  readonly tenantId: TenantId
  readonly draftId: DraftId
  readonly no: number
}

const MONEY: ReadonlySet<IntentStatus> = new Set(['captured', 'authorized', 'pending_cash'])
const RETURNED: ReadonlySet<IntentStatus> = new Set(['refunded', 'partially_refunded'])
const WAITING: ReadonlySet<IntentStatus> = new Set(['requires_action', 'processing'])

/** Captured, authorized, or to be paid in cash: enough to confirm the stay. */
export function hasMoney(status: IntentStatus): boolean {
  return MONEY.has(status)
}

/** Cash that was promised, and not yet received. */
export function isPromised({ status, intentStatus }: PaymentAttempt): boolean {
  return status === 'paid' && intentStatus === 'pending_cash'
}

/** The guest has chosen cash and not yet asked to book. */
export function awaitsConfirm(attempt: PaymentAttempt): boolean {
  return isPromised(attempt) && !attempt.isConfirmRequested
}

/** As the statement stores it that claims the record for a confirm request. */
export function withConfirmRequested(attempt: PaymentAttempt): PaymentAttempt {
  const isCash = attempt.method === 'cash_on_arrival' && isActive(attempt)
  return isCash ? { ...attempt, isConfirmRequested: true } : attempt
}

/** Something is left that pays for a stay or has to be returned. */
export function isMoneyLeft(status: IntentStatus): boolean {
  return hasMoney(status) || status === 'partially_refunded'
}

export function isReturned(status: IntentStatus): boolean {
  return RETURNED.has(status)
}

export function isWaiting(status: IntentStatus): boolean {
  return WAITING.has(status)
}

export function isUndecided({ status }: PaymentAttempt): boolean {
  return status === 'creating' || status === 'open'
}

/** Undecided, or with money that is not yet the payment of a stay. */
export function isActive(attempt: PaymentAttempt): boolean {
  return isUndecided(attempt) || attempt.status === 'paid'
}

/** The status of an attempt for a status of its intent. */
function attemptStatusOf(status: IntentStatus): AttemptStatus {
  if (isWaiting(status)) return 'open'
  if (isMoneyLeft(status)) return 'paid'
  return status === 'refunded' ? 'refunded' : 'closed'
}

/** A snapshot of the intent; of two the higher version is the newer one. */
export function withIntent(attempt: PaymentAttempt, intent: Intent): PaymentAttempt {
  if (intent.version < attempt.intentVersion) return attempt
  return {
    ...attempt,
    intentId: intent.paymentIntentId,
    provider: intent.provider,
    status: attemptStatusOf(intent.status),
    intentStatus: intent.status,
    intentVersion: intent.version,
    declineCode: intent.declineCode ?? null,
    nextAction: intent.nextAction,
    refundedMicro: intent.refundedAmount.amountMicro,
  }
}
