import { isProblem } from '@melmastoon/domain'
import type { ObservedRecord, ObservedRows } from './observed-rows.ts'
import type { Simulation } from './simulation.ts'

type World = Pick<Simulation, 'upstream' | 'hotel' | 'scheduler' | 'count'>

/** Counts each new decision and end with the facts of that moment, for coverage. */
export function noteDecisions(world: World, before: ObservedRows, after: ObservedRows): void {
  for (const record of after.records) {
    const earlier = before.records.find(({ draftId }) => draftId === record.draftId)
    if (record.decision !== null && record.decision !== earlier?.decision) {
      world.count(`decided ${record.decision}: ${factsOf(world, after, record)}`)
    }
    if (isSettled(record) && (earlier === undefined || !isSettled(earlier))) {
      world.count(`settled ${record.outcomeCode}: ${factsOf(world, after, record)}`)
    }
  }
}

function isSettled({ state }: ObservedRecord): boolean {
  return state === 'confirmed' || state === 'released'
}

/** `<payment>, hold <active or expired>, price <matched, changed or gone>, stay <status>`. */
function factsOf(world: World, rows: ObservedRows, record: ObservedRecord): string {
  const { payments, reservations } = world.upstream
  const { tenantId } = world.hotel
  const own = payments.all().filter(({ draftRef }) => draftRef === record.draftId)
  const paying = own.find(({ paymentIntentId }) => paymentIntentId === record.intentId)
  const payment = (paying ?? own.findLast(({ capturedMicro }) => capturedMicro > 0n) ?? own.at(-1))
    ?.status
  const draft = rows.drafts.find(({ draftId }) => draftId === record.draftId)
  const isExpired = (draft?.holdExpiresAtMs ?? 0) <= world.scheduler.clock.nowMs()
  const stay = reservations.get(tenantId, record.reservationId)
  const price = stay.quoteId === undefined ? 'none' : priceOf(world, stay.quoteId)
  const hold = isExpired ? 'expired' : 'active'
  return `${payment}, hold ${hold}, price ${price}, stay ${stay.status}`
}

type QuoteId = Parameters<World['upstream']['pricing']['recheck']>[1]

function priceOf({ upstream, hotel }: World, quoteId: QuoteId): string {
  try {
    return upstream.pricing.recheck(hotel.tenantId, quoteId).outcome
  } catch (error) {
    if (isProblem(error)) return 'none'
    throw error
  }
}
