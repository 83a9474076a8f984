import type { Database } from '@melmastoon/chassis/db'
import { addDays, type IsoDate, idToUuid, instantIn } from '@melmastoon/domain'
import type { World, WorldProperty, WorldStay } from '../../world/world.ts'
import { worldId } from '../../world/world-id.ts'
import { buildSuggestion } from './build-suggestion.ts'
import { FACT_NIGHTS, type HotelFacts, type NightFacts, type SourceRoomType } from './facts.ts'
import { deriveDrafts } from './rules.ts'
import { insertSources, type SourceRow } from './source-sql.ts'
import { insertSuggestions, type NewSuggestion } from './suggestion-sql.ts'

const BATCH_ROWS = 200

/** Sources and suggestions of the day for the detailed hotels. Idempotent. */
export async function seedAi(db: Database, world: World): Promise<void> {
  const rich = new Set(world.tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  const stays = Map.groupBy(world.stays, ({ propertyId }) => propertyId)
  const properties = world.properties.filter(({ tenantId }) => rich.has(tenantId))
  if (properties.length > 0) await db.query(insertSources(properties.map(toSource)))
  const rows = properties.flatMap((property) =>
    planSuggestions(world, property, stays.get(property.propertyId) ?? []),
  )
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    await db.query(insertSuggestions(rows.slice(from, from + BATCH_ROWS)))
  }
}

function toSource(property: WorldProperty): SourceRow {
  return {
    tenant_id: idToUuid(property.tenantId),
    property_id: idToUuid(property.propertyId),
    time_zone: property.timeZone,
    room_types: roomTypesOf(property),
  }
}

function roomTypesOf({ roomTypes, currency }: WorldProperty): SourceRoomType[] {
  return roomTypes.map(({ roomTypeId, baseNightlyMicro, rooms }) => ({
    roomTypeId,
    nightlyMicro: String(baseNightlyMicro),
    currency,
    rooms: rooms.map(({ roomId, floor }) => ({ roomId, floor })),
  }))
}

/** Made on the evening before, so that no suggestion is from the future. */
function planSuggestions(
  { seed, anchorDate }: World,
  property: WorldProperty,
  stays: readonly WorldStay[],
): NewSuggestion[] {
  const { tenantId, propertyId, timeZone } = property
  const facts = factsOf(property, stays, anchorDate)
  const generatedAt = new Date(instantIn(timeZone, addDays(anchorDate, -1), '22:00'))
  return deriveDrafts(facts).map((draft) =>
    buildSuggestion(
      { ...draft, validDays: draft.validDays + 1 },
      {
        tenantId,
        propertyId,
        suggestionId: worldId('sug', seed, `${propertyId}:${draft.key}:${anchorDate}`),
        input: facts,
        snapshotId: `world@${anchorDate}`,
        generatedAt,
        period: anchorDate,
      },
    ),
  )
}

function factsOf(property: WorldProperty, stays: readonly WorldStay[], today: IsoDate): HotelFacts {
  const until = addDays(today, FACT_NIGHTS)
  const isSold = ({ status }: WorldStay) => status === 'confirmed' || status === 'in_house'
  return {
    propertyId: property.propertyId,
    timeZone: property.timeZone,
    today,
    roomTypes: roomTypesOf(property),
    nights: nightsOf(property, stays.filter(isSold), today),
    arrivals: stays
      .filter((stay) => stay.status === 'confirmed' && stay.checkIn === today)
      .map(({ reservationId }) => reservationId),
    cancellations: stays.filter(
      ({ status, checkIn }) => status === 'cancelled' && checkIn >= today && checkIn < until,
    ).length,
  }
}

function nightsOf(
  { roomTypes }: WorldProperty,
  sold: readonly WorldStay[],
  today: IsoDate,
): NightFacts[] {
  return Array.from({ length: FACT_NIGHTS }, (_, index) => addDays(today, index)).flatMap((night) =>
    roomTypes.map(({ roomTypeId, rooms }) => ({
      roomTypeId,
      night,
      capacity: rooms.length,
      sold: sold
        .filter((stay) => stay.roomTypeId === roomTypeId && covers(stay, night))
        .reduce((sum, stay) => sum + stay.rooms, 0),
    })),
  )
}

function covers({ checkIn, checkOut }: WorldStay, night: IsoDate): boolean {
  return checkIn <= night && night < checkOut
}
