import type { RedirectStatus } from '@melmastoon/upstream-contracts/payment'
import type { StoredIntent } from './intent.ts'

/** Contains no secret, and nothing that a caller could mistake for a proof of payment. */
export function returnAddress(intent: StoredIntent, returnUrl: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', intent.paymentIntentId)
  url.searchParams.set('redirect_status', redirectStatus(intent))
  return url.href
}

function redirectStatus({ status, isOverdue }: StoredIntent): RedirectStatus {
  switch (status) {
    case 'requires_action':
      return isOverdue ? 'failed' : 'abandoned'
    case 'processing':
    case 'pending_cash':
      return 'processing'
    case 'failed':
    case 'cancelled':
      return 'failed'
    case 'authorized':
    case 'captured':
    case 'partially_refunded':
    case 'refunded':
      return 'succeeded'
  }
}
