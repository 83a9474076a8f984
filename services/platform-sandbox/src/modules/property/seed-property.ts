import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { batchesOf, seedBatches } from '../../seed-batches.ts'
import { AMENITIES } from '../../world/amenities.ts'
import { findCity } from '../../world/cities.ts'
import type { World, WorldProperty, WorldRoomType, WorldTenant } from '../../world/world.ts'
import type { RoomTypeRow } from './house.ts'
import { policiesOf } from './policies.ts'
import {
  insertAmenities,
  insertHouses,
  insertMarks,
  insertRooms,
  insertRoomTypes,
  type NewHouseRow,
} from './seed-sql.ts'

/** So that a statement stays far below its time limit and its parameter within some megabytes. */
const HOUSES_PER_STATEMENT = 400

/** Existing rows stay unchanged: staff may have edited them. */
export async function seedProperty(db: Database, world: World): Promise<void> {
  await db.query(insertAmenities(AMENITIES.map(({ code, name }) => ({ code, name }))))
  await db.query(insertMarks(world.tenants.map(markRow)))
  const { properties, anchorDate } = world
  await seedBatches(batchesOf(properties, HOUSES_PER_STATEMENT), async (chunk) => {
    // Before the transaction, which has a time limit between its statements.
    const houses = insertHouses(chunk.map((property) => houseRow(property, anchorDate)))
    const roomTypes = insertRoomTypes(chunk.flatMap(roomTypeRows))
    const rooms = insertRooms(chunk.flatMap(roomRows))
    await db.transaction(async (tx) => {
      await tx.query(houses)
      await tx.query(roomTypes)
      await tx.query(rooms)
    })
  })
}

function markRow({ tenantId, brand, displayName }: WorldTenant) {
  const letter = displayName.default.slice(0, 1).toUpperCase()
  return { tenant_id: idToUuid(tenantId), hue: brand.hue, letter }
}

function houseRow(property: WorldProperty, anchorDate: string): NewHouseRow {
  const { scenery } = findCity(property.city)
  return {
    property_id: idToUuid(property.propertyId),
    tenant_id: idToUuid(property.tenantId),
    slug: property.slug,
    name: property.name,
    description: property.description,
    address: addressOf(property),
    lat: property.lat,
    lng: property.lng,
    time_zone: property.timeZone,
    property_type: property.propertyType,
    star_rating: property.starRating,
    guest_rating: property.guestRating,
    amenity_codes: property.amenities,
    sharia_compliant: property.shariaCompliant,
    opened_on: property.openedOn,
    policies: policiesOf(property),
    scenery,
    photo_count: property.photoCount,
    room_count: property.roomTypes.reduce((sum, { rooms }) => sum + rooms.length, 0),
    updated_at: `${anchorDate}T00:00:00Z`,
  }
}

function addressOf(property: WorldProperty): NewHouseRow['address'] {
  const { key, name, region, quarters } = findCity(property.city)
  const quarter = quarters.find(({ en }) => en === property.neighbourhood)
  return {
    line: property.addressLine,
    nativeLine: property.nativeAddressLine,
    localizedLine: property.localizedAddressLine,
    neighbourhood: property.neighbourhood,
    ...(quarter?.localized && {
      neighbourhoodName: { default: quarter.en, localized: quarter.localized },
    }),
    city: { key, name },
    region,
    country: property.country,
  }
}

const BEDS: Readonly<Record<WorldRoomType['kind'], RoomTypeRow['beds']>> = {
  king: [{ kind: 'king', count: 1 }],
  twin: [{ kind: 'single', count: 2 }],
  suite: [
    { kind: 'king', count: 1 },
    { kind: 'sofa', count: 1 },
  ],
  family: [
    { kind: 'queen', count: 1 },
    { kind: 'single', count: 3 },
  ],
  dorm: [{ kind: 'bunk', count: 3 }],
  apartment: [
    { kind: 'queen', count: 1 },
    { kind: 'single', count: 2 },
    { kind: 'sofa', count: 1 },
  ],
}

function roomTypeRows({ propertyId, roomTypes }: WorldProperty) {
  return roomTypes.map((roomType, position) => ({
    room_type_id: idToUuid(roomType.roomTypeId),
    property_id: idToUuid(propertyId),
    position,
    kind: roomType.kind,
    name: roomType.name,
    adults_max: roomType.adultsMax,
    children_max: roomType.childrenMax,
    size_sqm: roomType.sizeSqm,
    beds: BEDS[roomType.kind],
    room_count: roomType.rooms.length,
  }))
}

function roomRows({ propertyId, roomTypes }: WorldProperty) {
  return roomTypes.flatMap(({ roomTypeId, rooms }) =>
    rooms.map(({ roomId, number, floor }) => ({
      room_id: idToUuid(roomId),
      property_id: idToUuid(propertyId),
      room_type_id: idToUuid(roomTypeId),
      number,
      floor,
    })),
  )
}
