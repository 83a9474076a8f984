import type { BoundingBox } from '../area/bounding-box.ts'
import type { LatLng } from '../area/sphere.ts'
import type { ListingIndex } from './listing-index.ts'
import type { Place } from './places.ts'

export interface PlaceTotals {
  /** The number of listed hotels. */
  readonly count: number
  /** The sum of their popularity. */
  readonly popularity: number
  /** Around the centre of the place and its hotels. */
  readonly box: BoundingBox
}

/** Neighbourhoods of all cities are numbered together: the city times this, plus their number. */
const PAIR_FACTOR = 0x1_0000

interface Tables {
  readonly revision: number
  readonly cities: Map<number, Extent>
  readonly regions: Map<number, Extent>
  readonly quarters: Map<number, Extent>
}

const counted = new WeakMap<ListingIndex, Tables>()

/** Of a city, region or neighbourhood; recounted after a change. */
export function totalsOf(index: ListingIndex, place: Place): PlaceTotals {
  const extent = extentOf(tablesOf(index), index, place) ?? new Extent(place)
  return extent.totals(place)
}

function extentOf({ cities, regions, quarters }: Tables, index: ListingIndex, place: Place) {
  const { kind, key } = place
  if (kind === 'city') return cities.get(index.cities.find(key) ?? -1)
  if (kind === 'region') return regions.get(index.regions.find(key) ?? -1)
  const slash = key.indexOf('/')
  const city = index.cities.find(key.slice(0, slash)) ?? -1
  const quarter = index.neighbourhoods.find(key.slice(slash + 1)) ?? -1
  return quarters.get(city * PAIR_FACTOR + quarter)
}

function tablesOf(index: ListingIndex): Tables {
  const known = counted.get(index)
  if (known?.revision === index.listedRevision) return known
  const tables = countAll(index)
  counted.set(index, tables)
  return tables
}

function countAll(index: ListingIndex): Tables {
  const { columns, firstRow, endRow, listedRevision: revision } = index
  const tables: Tables = { revision, cities: new Map(), regions: new Map(), quarters: new Map() }
  for (let row = firstRow; row < endRow; row += 1) {
    if (columns.isVisible[row] !== 1) continue
    const at = { lat: columns.lat[row] ?? 0, lng: columns.lng[row] ?? 0 }
    const popularity = columns.popularityPoints[row] ?? 0
    const city = columns.city[row] ?? 0
    const quarter = city * PAIR_FACTOR + (columns.neighbourhood[row] ?? 0)
    extentAt(tables.cities, city, at).add(at, popularity)
    extentAt(tables.regions, columns.region[row] ?? 0, at).add(at, popularity)
    extentAt(tables.quarters, quarter, at).add(at, popularity)
  }
  return tables
}

function extentAt(table: Map<number, Extent>, key: number, at: LatLng): Extent {
  let extent = table.get(key)
  if (extent === undefined) {
    extent = new Extent(at)
    table.set(key, extent)
  }
  return extent
}

/** At least about a kilometre, so that a map of one hotel shows its surroundings. */
const MARGIN_DEGREES = 0.005

/** Longitudes are relative to the first point, so that a place may lie on the antimeridian. */
class Extent {
  readonly #origin: LatLng
  #count = 0
  #popularity = 0
  #south: number
  #north: number
  #west = 0
  #east = 0

  constructor(origin: LatLng) {
    this.#origin = origin
    this.#south = origin.lat
    this.#north = origin.lat
  }

  add({ lat, lng }: LatLng, popularity: number): void {
    this.#count += 1
    this.#popularity += popularity
    const turn = eastwards(this.#origin.lng, lng)
    if (lat < this.#south) this.#south = lat
    if (lat > this.#north) this.#north = lat
    if (turn < this.#west) this.#west = turn
    if (turn > this.#east) this.#east = turn
  }

  totals(centre: LatLng): PlaceTotals {
    const turn = eastwards(this.#origin.lng, centre.lng)
    return {
      count: this.#count,
      popularity: this.#popularity,
      box: {
        swLat: latitude(Math.min(this.#south, centre.lat) - MARGIN_DEGREES),
        swLng: longitude(this.#origin.lng + Math.min(this.#west, turn) - MARGIN_DEGREES),
        neLat: latitude(Math.max(this.#north, centre.lat) + MARGIN_DEGREES),
        neLng: longitude(this.#origin.lng + Math.max(this.#east, turn) + MARGIN_DEGREES),
      },
    }
  }
}

function eastwards(from: number, to: number): number {
  return ((to - from + 540) % 360) - 180
}

function latitude(degrees: number): number {
  return rounded(Math.min(90, Math.max(-90, degrees)))
}

function longitude(degrees: number): number {
  return rounded(degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees)
}

/** The margin is larger than what rounding removes. */
function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}
