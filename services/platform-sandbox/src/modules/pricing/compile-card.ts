import { type RoomTypeId, uuidToId } from '@melmastoon/domain'
import type { Rules } from './engine/compile-rules.ts'
import { dayOf } from './engine/day.ts'
import type { Micro } from './engine/micro.ts'
import type { Plan, RateCard } from './engine/rate-card.ts'
import type { CardRow } from './rate-card-sql.ts'

/** Rooms and plans are sorted, so that among equal offers the choice is deterministic. */
export function compileCard(row: CardRow, rules: Rules): RateCard {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    propertyId: uuidToId('ppt', row.property_id),
    revision: row.revision,
    currency: row.currency,
    timeZone: row.time_zone,
    rooms: row.rooms.toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1)),
    plans: row.plans.map(compilePlan).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    rules,
  }
}

function compilePlan({
  id,
  code,
  name,
  category,
  version,
  terms,
  rates,
}: CardRow['plans'][number]): Plan {
  const { restrictions, cancellation, lastMinute } = terms
  const nightly = new Map<RoomTypeId, Micro>()
  for (const [room, micro] of Object.entries(rates))
    nightly.set(uuidToId('rmt', room), BigInt(micro))
  return {
    ratePlanId: uuidToId('rate', id),
    code,
    name,
    category,
    version,
    cancellation,
    board: terms.board ?? 'room_only',
    lastMinute,
    restrictions: {
      ...restrictions,
      closedToArrival: new Set(restrictions.closedToArrival.map(dayOf)),
      closedToDeparture: new Set(restrictions.closedToDeparture.map(dayOf)),
    },
    lengthOfStay: terms.lengthOfStay
      .map(({ minNights, basisPoints }) => ({ minNights, basisPoints: BigInt(basisPoints) }))
      .toSorted((a, b) => a.minNights - b.minNights),
    nightly,
  }
}
