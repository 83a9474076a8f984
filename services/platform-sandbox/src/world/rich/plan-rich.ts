import { LOCALES, parseIsoDate } from '@melmastoon/domain'
import { addressOf } from '../address-property.ts'
import { findCity } from '../cities.ts'
import { findCountry } from '../countries.ts'
import { names, readNames } from '../names.ts'
import { placeProperty } from '../place-property.ts'
import { planRooms } from '../plan-rooms.ts'
import { SeededRandom } from '../seeded-random.ts'
import type { Names, WorldProperty, WorldRoomType, WorldTenant } from '../world.ts'
import { worldId } from '../world-id.ts'
import { FOREIGN_TENANTS } from './foreign-tenants.ts'
import { KABUL_TENANTS } from './kabul-tenants.ts'
import { PROVINCIAL_TENANTS } from './provincial-tenants.ts'
import type { RichProperty, RichTenant } from './rich-tenant.ts'

/** The detailed hotels: tables define them, the seed determines only their exact location. */
export function planRich(seed: string): { tenants: WorldTenant[]; properties: WorldProperty[] } {
  const rich = [...KABUL_TENANTS, ...PROVINCIAL_TENANTS, ...FOREIGN_TENANTS]
  return {
    tenants: rich.map((tenant) => planTenant(seed, tenant)),
    properties: rich.flatMap((tenant) =>
      tenant.properties.map((property) => planProperty(seed, tenant, property)),
    ),
  }
}

function planTenant(seed: string, tenant: RichTenant): WorldTenant {
  const [home] = tenant.properties
  if (home === undefined) throw new TypeError(`${tenant.slug} has no property`)
  const city = findCity(home.city)
  const country = findCountry(city.country)
  const { defaultLocale } = tenant
  return {
    tenantId: worldId('tnt', seed, tenant.slug),
    slug: tenant.slug,
    legalName: tenant.legalName,
    displayName: readNames(tenant.name),
    tagline: readNames(tenant.tagline),
    country: city.country,
    region: country.cloudRegion,
    customDomains: tenant.customDomains,
    timeZone: city.timeZone,
    locales: [defaultLocale, ...LOCALES.filter((locale) => locale !== defaultLocale)],
    defaultLocale,
    currencies: [...new Set([country.currency, 'USD', 'EUR'] as const)],
    primaryCurrency: country.currency,
    paymentMethods: tenant.paymentMethods,
    isRich: true,
    brand: tenant.brand,
  }
}

function planProperty(seed: string, tenant: RichTenant, house: RichProperty): WorldProperty {
  const random = SeededRandom.of(`${seed}:rich:${house.slug}`)
  const city = findCity(house.city)
  const quarter = city.quarters.find(({ en }) => en === house.quarter)
  if (quarter === undefined) throw new TypeError(`${house.city} has no ${house.quarter}`)
  const propertyId = worldId('ppt', seed, house.slug)
  const { currency } = findCountry(city.country)
  const { nightlyUsd } = house
  const { starRating, guestRating, propertyType, cancellation, amenities } = house
  const { country } = city
  const rooms = { seed, propertyId, currency, nightlyUsd, country, starRating }
  return {
    propertyId,
    tenantId: worldId('tnt', seed, tenant.slug),
    slug: house.slug,
    name: readNames(house.name),
    description: describe(house),
    ...addressOf(random, city, quarter),
    city: city.key,
    region: city.region.key,
    neighbourhood: quarter.en,
    country,
    ...placeProperty(random, city, quarter),
    timeZone: city.timeZone,
    propertyType,
    starRating,
    guestRating,
    amenities,
    shariaCompliant: amenities.includes('prayer-room'),
    openedOn: parseIsoDate(house.openedOn),
    checkInTime: '14:00',
    checkOutTime: '11:00',
    cancellation,
    photoCount: 8,
    popularity: {
      score: random.int(780, 990) / 1_000,
      viewedLast1h: random.int(12, 90),
    },
    currency,
    roomTypes: planRooms({ ...rooms, kinds: kindsOf(house) }),
  }
}

function describe({ about, name }: RichProperty): Names {
  const [text, title] = [readNames(about), readNames(name)]
  return names(
    `${title.default}. ${text.default}`,
    `${title.localized['ps-AF']}. ${text.localized['ps-AF']}`,
    `${title.localized['fa-AF']}. ${text.localized['fa-AF']}`,
  )
}

function kindsOf({ rooms }: RichProperty) {
  const kinds = Object.entries(rooms) as [WorldRoomType['kind'], number][]
  return kinds.map(([kind, count]) => ({ kind, count }))
}
