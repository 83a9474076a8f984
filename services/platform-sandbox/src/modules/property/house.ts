import {
  type IsoDate,
  type PropertyId,
  type RoomTypeId,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type {
  PropertyDetail,
  PropertySummary,
  propertyContract,
} from '@melmastoon/upstream-contracts/property'
import { roomPhotoIndexes } from '../../drawings/photo-motif.ts'
import { planReviews } from '../../world/plan-reviews.ts'
import { describePhoto } from './describe-photo.ts'

export type PropertyOperations = (typeof propertyContract)['operations']

type Detail<Member extends keyof PropertyDetail> = PropertyDetail[Member]
type RoomType = Detail<'roomTypes'>[number]

/** One row contains all data of a house. */
export interface HouseRow {
  readonly property_id: string
  readonly tenant_id: string
  readonly slug: string
  readonly version: number
  readonly name: Detail<'name'>
  readonly description: Detail<'description'>
  readonly address: Detail<'address'>
  readonly lat: number
  readonly lng: number
  readonly time_zone: string
  readonly property_type: Detail<'propertyType'>
  readonly star_rating: number | null
  readonly guest_rating: Exclude<Detail<'guestRating'>, undefined> | null
  readonly amenity_codes: readonly string[]
  readonly sharia_compliant: boolean
  readonly opened_on: IsoDate
  readonly policies: Detail<'policies'>
  readonly photo_count: number
  readonly room_count: number
  readonly updated_at: Date
}

export interface RoomTypeRow {
  readonly room_type_id: string
  readonly position: number
  readonly kind: RoomType['kind']
  readonly name: RoomType['name']
  readonly adults_max: number
  readonly children_max: number
  readonly size_sqm: number
  readonly beds: RoomType['beds']
  readonly room_count: number
}

export interface FullHouseRow extends HouseRow {
  readonly amenities: Detail<'amenities'>
  readonly room_types: readonly RoomTypeRow[]
  /** At the hotel. */
  readonly today: IsoDate
}

export function toDetail(row: FullHouseRow, publicUrl: string): PropertyDetail {
  const photo = (index: number) => describePhoto({ ...idsOf(row), index, row, publicUrl })
  return {
    ...coreOf(row),
    description: row.description,
    address: row.address,
    amenities: row.amenities,
    photos: Array.from({ length: row.photo_count }, (_, index) => photo(index)),
    policies: row.policies,
    roomTypes: row.room_types.map((roomType) => ({
      ...toRoomType(roomType),
      photos: roomPhotoIndexes(roomType.position).map(photo),
    })),
    ...reviewsOf(row),
    updatedAt: toIsoDateTime(row.updated_at),
  }
}

/** A hotel without a rating has no reviews. */
function reviewsOf(row: FullHouseRow): Pick<PropertyDetail, 'reviews'> {
  const { guest_rating: guestRating } = row
  if (guestRating === null) return {}
  const house = {
    ...idsOf(row),
    country: row.address.country,
    propertyType: row.property_type,
    starRating: row.star_rating,
    guestRating,
    amenities: row.amenity_codes,
    openedOn: row.opened_on,
  }
  return { reviews: planReviews(house, row.today) }
}

export function toSummary(row: HouseRow, publicUrl: string): PropertySummary {
  const { neighbourhood, city, country } = row.address
  return {
    ...coreOf(row),
    ...(neighbourhood !== undefined && { neighbourhood }),
    city,
    country,
    hero: describePhoto({ ...idsOf(row), index: 0, row, publicUrl }),
    amenityCodes: [...row.amenity_codes],
    cancellationKind: row.policies.cancellation.kind,
    roomCount: row.room_count,
  }
}

function idsOf(row: HouseRow): { propertyId: PropertyId; tenantId: TenantId } {
  return {
    propertyId: uuidToId('ppt', row.property_id),
    tenantId: uuidToId('tnt', row.tenant_id),
  }
}

function coreOf(row: HouseRow) {
  const { star_rating: starRating, guest_rating: guestRating } = row
  return {
    ...idsOf(row),
    slug: row.slug,
    version: row.version,
    name: row.name,
    geo: { lat: row.lat, lng: row.lng },
    timeZone: row.time_zone,
    propertyType: row.property_type,
    ...(starRating !== null && { starRating }),
    ...(guestRating !== null && { guestRating }),
    shariaCompliant: row.sharia_compliant,
    openedOn: row.opened_on,
  }
}

function toRoomType(row: RoomTypeRow) {
  const roomTypeId: RoomTypeId = uuidToId('rmt', row.room_type_id)
  return {
    roomTypeId,
    kind: row.kind,
    name: row.name,
    adultsMax: row.adults_max,
    childrenMax: row.children_max,
    occupancyMax: row.adults_max + row.children_max,
    sizeSqm: row.size_sqm,
    beds: row.beds,
    roomCount: row.room_count,
  }
}
