import { minorOf } from './amount.ts'
import type { StoredIntent } from './intent.ts'
import { amountDecline, type CardBehaviour } from './magic-values.ts'
import type { Change } from './state-table.ts'

/** The transition of an approval: capture or authorization. */
function approvalOf(intent: StoredIntent): Change {
  return { move: intent.captureMode === 'manual' ? 'authorize' : 'settle' }
}

/** The result of charging this card; null while the payer has to act first. */
export function chargeChange(intent: StoredIntent, card: CardBehaviour): Change | null {
  const declined = declineOf(intent) ?? (card.outcome === 'decline' ? card.declineCode : undefined)
  if (declined !== undefined) return { move: 'fail', reasonCode: declined }
  return card.outcome === 'verify' ? null : approvalOf(intent)
}

/** The result of a decision on the phone, or of a payer who completed the second step. */
export function decisionChange(intent: StoredIntent, decision: 'approve' | 'decline'): Change {
  const declined = declineOf(intent) ?? (decision === 'decline' ? 'refused_by_payer' : undefined)
  return declined === undefined ? approvalOf(intent) : { move: 'fail', reasonCode: declined }
}

function declineOf({ amountMicro, currency }: StoredIntent): string | undefined {
  return amountDecline(minorOf(amountMicro, currency).amountMinor)
}
