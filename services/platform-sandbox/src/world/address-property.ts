import type { City, Quarter } from './city.ts'
import { names } from './names.ts'
import type { SeededRandom } from './seeded-random.ts'
import { easternDigits } from './words/eastern-digits.ts'
import { STREETS_COUNT, type Street, streetIn } from './words/street-names.ts'
import type { Names } from './world.ts'

export interface AddressLines {
  readonly addressLine: string
  readonly localizedAddressLine: Names
  readonly nativeAddressLine: string
}

/** Streets have numbers in these countries, and names elsewhere. */
const NUMBERED: ReadonlySet<string> = new Set(['AF', 'PK'])

export function addressOf(random: SeededRandom, city: City, quarter: Quarter): AddressLines {
  const house = random.int(1, 180)
  const number = random.int(1, 24)
  const street = NUMBERED.has(city.country)
    ? numberedStreet(city, number)
    : streetIn(city.country, number % STREETS_COUNT)
  const localizedAddressLine = localizedLine(city, quarter, { house, street })
  return {
    addressLine: localizedAddressLine.default,
    localizedAddressLine,
    nativeAddressLine: nativeLine(city, quarter, { house, street }),
  }
}

const PASHTO_TOWNS: ReadonlySet<string> = new Set([
  'kandahar',
  'jalalabad',
  'lashkar-gah',
  'khost',
  'gardez',
  'asadabad',
  'mehtarlam',
])

function numberedStreet({ key, country }: City, number: number): Street {
  const [ps, fa] = [`${easternDigits(number)} سړک`, `سرک ${easternDigits(number)}`]
  const inAfghanistan = PASHTO_TOWNS.has(key) ? ps : fa
  return {
    names: names(`Street ${number}`, ps, fa),
    native: country === 'AF' ? inAfghanistan : `گلی ${number}`,
    isNumberLast: false,
  }
}

interface Doorway {
  readonly house: number
  readonly street: Street
}

/** In the languages of the platform; a neighbourhood without a translation has its own name. */
function localizedLine(
  { name, country }: City,
  { en, localized }: Quarter,
  { house, street }: Doorway,
): Names {
  const { default: latin, localized: local } = street.names
  const { 'ps-AF': ps, 'fa-AF': fa } = name.localized
  const door = NUMBERED.has(country) ? `House ${house}, ${latin}` : numbered(latin, house, street)
  return names(
    `${door}, ${en}, ${name.default}`,
    joined(`کور ${easternDigits(house)}`, local['ps-AF'], localized?.['ps-AF'] ?? en, ps),
    joined(`خانه ${easternDigits(house)}`, local['fa-AF'], localized?.['fa-AF'] ?? en, fa),
  )
}

function numbered(name: string, house: number, { isNumberLast }: Street): string {
  return isNumberLast ? `${name} ${house}` : `${house} ${name}`
}

const ARABIC: ReadonlySet<string> = new Set(['AE', 'QA', 'OM', 'SA', 'IQ', 'JO', 'EG', 'MA'])

/** The address in the local format and script. */
function nativeLine(city: City, quarter: Quarter, { house, street }: Doorway): string {
  const { country, nativeName: town } = city
  const { native } = street
  const [ps, fa] = [quarter.localized?.['ps-AF'], quarter.localized?.['fa-AF']]
  if (PASHTO_TOWNS.has(city.key)) {
    return joined(`کور ${easternDigits(house)}`, native, ps, city.name.localized['ps-AF'])
  }
  if (country === 'AF') return joined(`خانه ${easternDigits(house)}`, native, fa, town)
  if (country === 'IR') return joined(native, `پلاک ${easternDigits(house)}`, fa, town)
  if (country === 'PK') return joined(`مکان ${house}`, native, undefined, town)
  if (ARABIC.has(country)) return joined(native, `مبنى ${house}`, undefined, town)
  if (country === 'TR') return `${native} No: ${house}, ${quarter.en}, ${town}`
  return `${numbered(native, house, street)}, ${quarter.en}, ${town}`
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('، ')
}
