import { addDays, type CurrencyCode, newId } from '@melmastoon/domain'
import type { ExchangeRates } from '../../src/modules/pricing/module.ts'
import { cheapestInWorld, documentOfWorld } from '../../src/modules/search/document-of-world.ts'
import { toEpochDay } from '../../src/modules/search/index/epoch-day.ts'
import { ListingIndex } from '../../src/modules/search/index/listing-index.ts'
import { placesOfWorld } from '../../src/modules/search/places-of-world.ts'
import type { FxRates } from '../../src/modules/search/search-sources.ts'
import type { World } from '../../src/world/world.ts'
import { rateCardOf } from './rates-of-world.ts'
import { roomsLeftIn } from './rooms-left.ts'

export const RATES: FxRates = {
  AFN: 70_500_000n,
  USD: 1_000_000n,
  EUR: 920_000n,
  IRR: 600_000_000_000n,
  PKR: 278_000_000n,
  AED: 3_672_500n,
  GBP: 780_000n,
}

const HOUR_MS = 3_600_000

export const EXCHANGE: ExchangeRates = {
  fxSnapshotId: newId('fxs'),
  base: 'USD',
  rates: new Map(Object.entries(RATES) as [CurrencyCode, bigint][]),
  takenAtMs: Date.now(),
  staleAfterMs: Date.now() + 24 * HOUR_MS,
  hardExpireAtMs: Date.now() + 72 * HOUR_MS,
  source: 'test',
}

/** The index without a database. */
export function loadWorld(world: World): ListingIndex {
  const firstNight = addDays(world.anchorDate, -1)
  const index = new ListingIndex({
    firstDay: toEpochDay(firstNight),
    publicUrl: 'http://photos.test',
    rates: RATES,
  })
  index.exchange = EXCHANGE
  index.applyPlaces(placesOfWorld())
  const tenants = new Map(world.tenants.map((tenant) => [tenant.tenantId, tenant]))
  const roomsLeft = roomsLeftIn(world)
  let seq = 0
  for (const property of world.properties) {
    const tenant = tenants.get(property.tenantId)
    if (tenant === undefined) throw new TypeError('a property without a tenant')
    const { propertyId, popularity } = property
    index.applyListing(
      {
        seq: ++seq,
        document: documentOfWorld(property, tenant),
        isPublished: true,
        cheapest: cheapestInWorld(property),
        version: 1,
        ratesRevision: 0,
      },
      rateCardOf(world, property),
    )
    index.applyPopularity({
      seq: ++seq,
      propertyId,
      baseScore: popularity.score,
      baseViewedLast1h: popularity.viewedLast1h,
      viewed1h: 0,
      viewed7d: 0,
      bookedAt: [],
      fadedAt: new Date(),
    })
    index.applyAvailability({
      seq: ++seq,
      propertyId,
      firstNight,
      ...roomsLeft(property),
    })
  }
  return index
}
