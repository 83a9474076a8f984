import { uuidToId } from '@melmastoon/domain'
import { type ChangedAvailability, unflatten } from '../availability-sql.ts'
import type { ListedRoomType, ListingDocument } from '../listing-document.ts'
import type { ChangedListing } from '../listing-sql.ts'
import type { ChangedPopularity } from '../popularity-sql.ts'
import type { ChangedTenant } from '../tenant-sql.ts'
import type { AvailabilityRow, ListingRow, PopularityRow, TenantRow } from './feed-rows.ts'

export function toListingRow(row: ChangedListing): ListingRow {
  const { cheapest_micro: amountMicro, cheapest_currency: currency } = row
  return {
    seq: row.updated_seq,
    document: shareNames(row.document),
    isPublished: row.is_published,
    cheapest: amountMicro === null || currency === null ? null : { amountMicro, currency },
    version: row.version,
    ratesRevision: row.rates_revision,
  }
}

const NAMES_MAX = 10_000
const sharedNames = new Map<string, ListedRoomType['name']>()

/** Thousands of hotels have room types of the same few names: in memory they are stored once. */
function shareNames(document: ListingDocument): ListingDocument {
  const roomTypes = document.roomTypes.map((type) => {
    const key = JSON.stringify(type.name)
    const name = sharedNames.get(key) ?? type.name
    if (sharedNames.size < NAMES_MAX) sharedNames.set(key, name)
    return { ...type, name }
  })
  return { ...document, roomTypes }
}

export function toAvailability(row: ChangedAvailability): AvailabilityRow {
  return {
    seq: row.updated_seq,
    propertyId: uuidToId('ppt', row.property_id),
    firstNight: row.first_night,
    roomsLeft: readItems(row.rooms_left).map(Number),
    roomsTotal: row.rooms_total,
    roomTypes: unflatten({
      roomTypeIds: readItems(row.room_types).map((uuid) => uuidToId('rmt', uuid)),
      totals: readItems(row.room_type_totals).map(Number),
      roomsLeft: readItems(row.room_type_rooms_left).map(Number),
    }),
  }
}

export function toPopularity(row: ChangedPopularity): PopularityRow {
  return {
    seq: row.updated_seq,
    propertyId: uuidToId('ppt', row.property_id),
    baseScore: row.base_score,
    baseViewedLast1h: row.base_viewed_last_1h,
    viewed1h: row.viewed_1h,
    viewed7d: row.viewed_7d,
    bookedAt: row.booked_at,
    fadedAt: row.faded_at,
  }
}

export function toTenant(row: ChangedTenant): TenantRow {
  return {
    seq: row.updated_seq,
    tenantId: uuidToId('tnt', row.tenant_id),
    isSuspended: row.is_suspended,
  }
}

function readItems(text: string): string[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',')
}
