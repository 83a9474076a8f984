import type { City, Quarter } from './city.ts'
import { names } from './names.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Names } from './world.ts'

const KM_PER_DEGREE = 111.32
/** The angle to either side of the inland bearing for houses of a coastal town. */
const COAST_HALF_ANGLE = 85
/** Of the distance to the next neighbourhood: every house is nearest to its own. */
const EXTENT = 0.48

export interface Location {
  readonly lat: number
  readonly lng: number
}

/** Within its neighbourhood, denser towards the centre of it; longitudes wrap at 180°. */
export function placeProperty(random: SeededRandom, city: City, quarter: Quarter): Location {
  const distanceKm = radiusKm(city, quarter) * (random.next() + random.next()) * 0.5
  const turn = (random.next() - 0.5) * 2
  const { inlandBearing } = city
  const bearing = inlandBearing === null ? turn * 180 : inlandBearing + turn * COAST_HALF_ANGLE
  const { lat, lng } = moved(quarter, { distanceKm, bearing })
  return { lat: round5(lat), lng: round5(lng) }
}

function radiusKm({ quarters, spreadKm }: City, quarter: Quarter): number {
  const others = quarters.filter(({ en }) => en !== quarter.en)
  const nextKm = Math.min(...others.map((other) => kmBetween(quarter, other)))
  return Math.min(spreadKm, nextKm * EXTENT)
}

/** Precise enough within a town. */
function kmBetween(a: Location, b: Location): number {
  const perLng = Math.cos((a.lat * Math.PI) / 180)
  return Math.hypot(a.lat - b.lat, wrapped(a.lng - b.lng) * perLng) * KM_PER_DEGREE
}

function moved(
  { lat, lng }: Location,
  { distanceKm, bearing }: { distanceKm: number; bearing: number },
): Location {
  const radians = (bearing * Math.PI) / 180
  const kmPerLngDegree = KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
  return {
    lat: lat + (Math.cos(radians) * distanceKm) / KM_PER_DEGREE,
    lng: wrapped(lng + (Math.sin(radians) * distanceKm) / kmPerLngDegree),
  }
}

function wrapped(lng: number): number {
  return lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng
}

function round5(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}

export interface AddressLines {
  readonly addressLine: string
  readonly localizedAddressLine: Names
  readonly nativeAddressLine: string
}

interface Doorway {
  readonly house: number
  readonly street: number
}

export function addressOf(random: SeededRandom, city: City, quarter: Quarter): AddressLines {
  const location = { house: random.int(1, 180), street: random.int(1, 24) }
  const localizedAddressLine = localizedLine(city, quarter, location)
  return {
    addressLine: localizedAddressLine.default,
    localizedAddressLine,
    nativeAddressLine: nativeLine(city, quarter, location),
  }
}

/** In the languages of the platform; a neighbourhood without a translation has its own name. */
function localizedLine({ name }: City, { en, localized }: Quarter, location: Doorway): Names {
  const { house, street } = location
  const { 'ps-AF': ps, 'fa-AF': fa } = name.localized
  return names(
    `House ${house}, Street ${street}, ${en}, ${name.default}`,
    joined(`کور ${eastern(house)}`, `${eastern(street)} سړک`, localized?.['ps-AF'] ?? en, ps),
    joined(`خانه ${eastern(house)}`, `سرک ${eastern(street)}`, localized?.['fa-AF'] ?? en, fa),
  )
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
const ARABIC: ReadonlySet<string> = new Set(['AE', 'QA', 'OM', 'SA', 'IQ', 'JO', 'EG', 'MA'])
const CYRILLIC: ReadonlySet<string> = new Set(['RU', 'KZ', 'KG'])

/** The address in the local format and script. */
function nativeLine(city: City, quarter: Quarter, { house, street }: Doorway): string {
  const { country, nativeName: town } = city
  const [ps, fa] = [quarter.localized?.['ps-AF'], quarter.localized?.['fa-AF']]
  if (PASHTO_TOWNS.has(city.key)) {
    return joined(
      `کور ${eastern(house)}`,
      `${eastern(street)} سړک`,
      ps,
      city.name.localized['ps-AF'],
    )
  }
  if (country === 'AF') return joined(`خانه ${eastern(house)}`, `سرک ${eastern(street)}`, fa, town)
  if (country === 'IR')
    return joined(`خیابان ${eastern(street)}`, `پلاک ${eastern(house)}`, fa, town)
  if (country === 'PK') return joined(`مکان ${house}`, `گلی ${street}`, undefined, town)
  if (ARABIC.has(country)) return joined(`شارع ${street}`, `مبنى ${house}`, undefined, town)
  if (country === 'TJ') return `кӯчаи ${street}, хонаи ${house}, ${town}`
  if (country === 'UZ') return `${street}-ko‘cha, ${house}-uy, ${town}`
  if (country === 'TR') return `${street}. Sokak No: ${house}, ${quarter.en}, ${town}`
  if (CYRILLIC.has(country)) return `ул. ${street}, д. ${house}, ${town}`
  return `${house} Street ${street}, ${quarter.en}, ${town}`
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('، ')
}

const EASTERN_DIGITS = '۰۱۲۳۴۵۶۷۸۹'

function eastern(number: number): string {
  return String(number).replace(/\d/g, (digit) => EASTERN_DIGITS[Number(digit)] ?? digit)
}
