import { LRUCache } from 'lru-cache'
import { type AvailabilityRequest, availabilityTags, stayDimension } from './availability-caches.ts'

/** What identifies a response. Frozen, so that the cache computes its key once. */
type Address = ReturnType<typeof createAddress>

const ADDRESSES_MAX = 5_000
const known = new LRUCache<string, Address>({ max: ADDRESSES_MAX })

/** Guests ask for the same stays again and again: the address of each is created once. */
export function addressOf(request: AvailabilityRequest): Address {
  const { tenantId, propertyId, stay, occupancy, currency, locale } = request
  const { adults, children, rooms, childrenAges } = occupancy
  const party = `${adults} ${children} ${rooms} ${childrenAges?.join(',') ?? ''}`
  const text = `${tenantId} ${propertyId} ${stay.checkIn} ${stay.checkOut} ${currency} ${locale} ${party}`
  const seen = known.get(text)
  if (seen !== undefined) return seen
  const address = createAddress(request)
  known.set(text, address)
  return address
}

function createAddress(request: AvailabilityRequest) {
  const { tenantId, propertyId, stay, occupancy, currency, locale } = request
  const dims = Object.freeze({
    tenantId,
    propertyId,
    stay: stayDimension(stay),
    occupancy: JSON.stringify(occupancy),
    currency,
    locale,
  })
  return { dims, tags: availabilityTags(request, stay) }
}
