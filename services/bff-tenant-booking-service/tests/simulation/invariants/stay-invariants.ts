import { type Observation, type Violation, violation } from './observation.ts'
import { confirmedStays, viewOf } from './upstream-view.ts'

/** F2: at most one confirmed stay per draft, and it is paid by the intent of the record. */
export function oneStayPerDraft({ audit, records }: Observation): Violation[] {
  const stays = confirmedStays(viewOf(audit))
  const drafts = new Set(stays.map(({ draftId }) => draftId))
  return [...drafts].flatMap((draftId) => {
    const own = stays.filter((stay) => stay.draftId === draftId)
    if (own.length > 1) return [violation(2, `${String(draftId)} has ${own.length} stays`)]
    const record = records.find((other) => other.draftId === draftId)
    const isOfRecord = own.every(({ paymentIntentId }) => paymentIntentId === record?.intentId)
    return isOfRecord ? [] : [violation(2, `${String(draftId)}: paid by another intent`)]
  })
}

/** F4: the service refunds the paying intent only after its reservation is cancelled. */
export function cancelBeforeRefund({ audit, records }: Observation): Violation[] {
  return audit.flatMap((entry, at) => {
    if (entry.kind !== 'intent' || entry.by !== 'service' || !isRefund(entry.to)) return []
    const record = records.find(({ draftId }) => draftId === entry.draftRef)
    if (record === undefined) return []
    const stay = viewOf(audit, at).reservations.get(record.reservationId)
    if (stay === undefined || stay.to === 'cancelled') return []
    const isOfAnother = stay.to === 'confirmed' && stay.paymentIntentId !== entry.paymentIntentId
    if (isOfAnother) return []
    return [violation(4, `${entry.paymentIntentId} was refunded while its stay is ${stay.to}`)]
  })
}

function isRefund(status: string): boolean {
  return status === 'refunded' || status === 'partially_refunded'
}

/** After the drain: as many rooms are sold as stays are confirmed. */
export function roomsSoldAreStays({ audit, roomsSold }: Observation): Violation[] {
  const stays = confirmedStays(viewOf(audit)).length
  return stays === roomsSold ? [] : [violation(2, `${roomsSold} rooms sold, ${stays} stays`)]
}
