import type { City, Quarter } from './city.ts'
import type { SeededRandom } from './seeded-random.ts'

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
