import { idToUuid, type RoomTypeId, uuidToId } from '@melmastoon/domain'
import type { Rules } from './engine/compile-rules.ts'
import { dayOf } from './engine/day.ts'
import type { Micro } from './engine/micro.ts'
import type { Plan, RateCard } from './engine/rate-card.ts'
import type { CardRow } from './rate-card-sql.ts'

type PlanRow = CardRow['plans'][number]
type SharedTerms = Pick<
  Plan,
  'name' | 'restrictions' | 'cancellation' | 'board' | 'lengthOfStay' | 'lastMinute'
>

const SHARED_MAX = 10_000
const shared = new Map<string, SharedTerms>()

/** Rooms and plans are sorted, so that among equal offers the choice is deterministic. */
export function compileCard(row: CardRow, rules: Rules): RateCard {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    propertyId: uuidToId('ppt', row.property_id),
    revision: row.revision,
    currency: row.currency,
    timeZone: row.time_zone,
    rooms: row.rooms.toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1)),
    plans: compilePlans(row).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    rules,
  }
}

/** All plans of a hotel share the strings of its room types. */
function compilePlans({ plans, rooms }: CardRow): Plan[] {
  const ids = new Map(rooms.map(({ roomTypeId }) => [idToUuid(roomTypeId), roomTypeId]))
  return plans.map((plan) => {
    const nightly = new Map<RoomTypeId, Micro>()
    for (const [room, micro] of Object.entries(plan.rates)) {
      nightly.set(ids.get(room) ?? uuidToId('rmt', room), BigInt(micro))
    }
    const { id, code, category, version } = plan
    return { ratePlanId: uuidToId('rate', id), code, category, version, ...termsOf(plan), nightly }
  })
}

/** Thousands of hotels have the same few terms: in memory they are stored once. */
function termsOf({ name, terms }: PlanRow): SharedTerms {
  const key = JSON.stringify([name, terms])
  const known = shared.get(key)
  if (known !== undefined) return known
  if (shared.size >= SHARED_MAX) shared.clear()
  const compiled = compileTerms(name, terms)
  shared.set(key, compiled)
  return compiled
}

function compileTerms(name: PlanRow['name'], terms: PlanRow['terms']): SharedTerms {
  const { restrictions, cancellation, lastMinute } = terms
  return {
    name,
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
  }
}
