import { LOCALES } from '@melmastoon/domain'
import type { City } from './city.ts'
import { findCountry } from './countries.ts'
import { names, readNames } from './names.ts'
import { toKey } from './read-places.ts'
import { SeededRandom } from './seeded-random.ts'
import { ofPashto } from './words/pashto.ts'
import { properWords } from './words/proper-words.ts'
import type { Names, WorldTenant } from './world.ts'
import { worldId } from './world-id.ts'

const TAGLINES = [
  'You are our guest / تاسو زموږ مېلمانه یاست / شما مهمان ما هستید',
  'Rest well, travel on / ښه دمه وکړئ، سفر ته دوام ورکړئ / خوب بیاسایید و سفر کنید',
  'A clean room and a kind word / پاکه خونه او خوږه خبره / اتاق پاک و سخن خوش',
  'At home on the road / په لاره کې هم کور / خانه‌ای در راه',
  'The kettle is always on / چای تل تیار دی / چای همیشه آماده است',
].map(readNames)

const LAYOUTS = ['hero-with-search', 'gallery-first', 'quiet'] as const

export interface TenantPlan {
  readonly seed: string
  /** The city of its first house. */
  readonly home: City
  /** Its number among the tenants of the country. */
  readonly ordinal: number
}

/** A generated tenant with a few houses. */
export function planTenant({ seed, home, ordinal }: TenantPlan): WorldTenant {
  const random = SeededRandom.of(`${seed}:tenant:${home.country}:${ordinal}`)
  const country = findCountry(home.country)
  const word = random.pick(properWords(home.country, home.scenery))
  const slug = `${toKey(word.default)}-${home.country.toLowerCase()}-${ordinal + 1}`
  const { currency, locale } = country
  const displayName = groupName(word)
  return {
    tenantId: worldId('tnt', seed, slug),
    slug,
    legalName: `${displayName.default} ${home.country} ${ordinal + 1}`,
    displayName,
    tagline: random.pick(TAGLINES),
    country: home.country,
    region: country.cloudRegion,
    customDomains: [],
    timeZone: home.timeZone,
    locales: [locale, ...LOCALES.filter((other) => other !== locale)],
    defaultLocale: locale,
    currencies: currency === 'USD' ? ['USD'] : [currency, 'USD'],
    primaryCurrency: currency,
    paymentMethods: drawMethods(random, home.country),
    isRich: false,
    brand: {
      hue: random.int(0, 359),
      layoutPreset: random.pick(LAYOUTS),
      radiusPx: random.int(0, 9) * 2,
    },
  }
}

function groupName(word: Names): Names {
  const { 'ps-AF': ps, 'fa-AF': fa } = word.localized
  return names(`${word.default} Hotels`, `${ofPashto(ps)} هوټلونه`, `هوتل‌های ${fa}`)
}

function drawMethods(random: SeededRandom, country: string): WorldTenant['paymentMethods'] {
  if (country !== 'AF') return random.chance(0.5) ? ['card', 'cash_on_arrival'] : ['card']
  return random.chance(0.4) ? ['cash_on_arrival', 'mobile_money'] : ['cash_on_arrival']
}
