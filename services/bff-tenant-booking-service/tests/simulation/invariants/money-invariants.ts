import type { AuditEntry, IntentChange } from '../upstream/audit-log.ts'
import { type Observation, type Violation, violation } from './observation.ts'
import { confirmedStays, keptMicro, viewOf } from './upstream-view.ts'

/** F1, after the drain: all money pays for exactly one stay, or was returned completely. */
export function everyPaymentHasOneEnd({ audit }: Observation): Violation[] {
  const view = viewOf(audit)
  return [...view.intents.values()].flatMap((intent) => {
    const stays = confirmedStays(view).filter(
      ({ paymentIntentId }) => paymentIntentId === intent.paymentIntentId,
    )
    if (stays.length > 1) return [violation(1, `${intent.paymentIntentId} pays for two stays`)]
    if (stays.length === 1) return returnedByService(audit, intent)
    const isPromised = intent.to === 'authorized' || intent.to === 'pending_cash'
    if (!isPromised && keptMicro(intent) === 0n) return []
    return [violation(1, `${intent.paymentIntentId} is ${intent.to} without a stay`)]
  })
}

/** Staff may refund a stay; the service must not refund the payment of a confirmed one. */
function returnedByService(audit: readonly AuditEntry[], intent: IntentChange): Violation[] {
  const isReturned = audit.some(
    (entry) =>
      entry.kind === 'intent' &&
      entry.paymentIntentId === intent.paymentIntentId &&
      entry.by === 'service' &&
      entry.refundedMicro > 0n,
  )
  return isReturned ? [violation(1, `${intent.paymentIntentId}: a stay and a refund`)] : []
}

/** F3: never more is returned than was captured. */
export function refundsWithinCaptures({ audit }: Observation): Violation[] {
  return [...viewOf(audit).intents.values()]
    .filter((intent) => keptMicro(intent) < 0n)
    .map(({ paymentIntentId }) => violation(3, `${paymentIntentId} was refunded too much`))
}

/** F3: at most one payment of a draft is open, so that at most one can bring money. */
export function oneOpenPayment({ attempts }: Observation): Violation[] {
  const open = attempts.filter(({ status }) => status === 'creating' || status === 'open')
  const drafts = open.map(({ draftId }) => draftId)
  return drafts
    .filter((draftId, at) => drafts.indexOf(draftId) !== at)
    .map((draftId) => violation(3, `${draftId} has two open payments`))
}

/** F3, after the drain: one payment per settled draft. */
export function onePaymentPerDraft({ audit, records }: Observation): Violation[] {
  const { intents } = viewOf(audit)
  return records
    .filter(({ state }) => state === 'confirmed' || state === 'released')
    .filter(({ draftId }) => {
      const kept = [...intents.values()].filter(
        (intent) => intent.draftRef === draftId && keptMicro(intent) > 0n,
      )
      return kept.length > 1
    })
    .map(({ draftId }) => violation(3, `${draftId} keeps two payments`))
}

/**
 * F5: captured amount = what the guest agreed to = the total of the reservation. When staff capture
 * another amount after the decision, the stay is confirmed until the service has seen it.
 */
export function amountsAgree({ audit, records }: Observation): Violation[] {
  const view = viewOf(audit)
  return confirmedStays(view).flatMap((stay) => {
    const record = records.find(({ draftId }) => draftId === stay.draftId)
    if (record === undefined) return [violation(5, `${stay.reservationId} has no record`)]
    const { amountMicro, currency } = stay.total
    const isConsented =
      record.consentedDigest === stay.digest &&
      record.amountMicro === amountMicro &&
      record.currency === currency
    const intent = stay.paymentIntentId && view.intents.get(stay.paymentIntentId)
    if (!intent) return [violation(5, `${stay.reservationId} has no payment`)]
    const isUnseen = record.state !== 'confirmed' && intent.by === 'staff'
    const isPaid = isPaidExactly(intent, stay.total) || isUnseen
    return isConsented && isPaid ? [] : [violation(5, `${stay.reservationId}: other amount`)]
  })
}

function isPaidExactly(
  intent: IntentChange,
  total: { readonly amountMicro: string; readonly currency: string },
): boolean {
  const paidMicro = intent.capturedMicro === 0n ? intent.amountMicro : intent.capturedMicro
  return String(paidMicro) === total.amountMicro && intent.currency === total.currency
}
