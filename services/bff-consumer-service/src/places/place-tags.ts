import { hash } from 'node:crypto'
import type { PropertyId } from '@melmastoon/domain'
import type { GeoArea, Listing, PlaceSummary } from '@melmastoon/upstream-contracts/search'
import { LRUCache } from 'lru-cache'

/** A tag of every search page: changes of tenants and themes invalidate all of them. */
export const EVERY_PAGE = 'search'
/** A tag of the entries of every hotel: changes of tenants invalidate all of them. */
export const EVERY_HOTEL = 'hotel'
/** A tag of pages whose area is too large, or whose region name is not a key. */
export const WIDE_PAGES = 'search:wide'

const PLAIN_KEY = /^[a-z0-9-]{1,60}$/
const CELL_DEGREES = 2
const CELLS_MAX = 9
const KM_PER_DEGREE = 111
const CELLS_AROUND = 360 / CELL_DEGREES

interface Box {
  readonly swLat: number
  readonly swLng: number
  readonly neLat: number
  readonly neLng: number
}

/**
 * Tags must be known before a page is loaded, so they cannot name its hotels: they name its area.
 * A change of one hotel then invalidates only pages of its own place.
 */
export function areaTags(area: GeoArea): readonly string[] {
  switch (area.mode) {
    case 'city':
      return [EVERY_PAGE, cityTag(area.city)]
    case 'region':
      return [EVERY_PAGE, regionTag(area.region)]
    case 'point':
      return [EVERY_PAGE, ...cellsWithin(boxAround(area.point))]
    case 'bounding-box':
      return [EVERY_PAGE, ...cellsWithin(area.boundingBox)]
  }
}

export interface Place {
  readonly city: string
  readonly cityName: { readonly default: string; readonly localized?: Record<string, string> }
  readonly region: string
  readonly geo: { readonly lat: number; readonly lng: number }
}

/** The tags of every page that may show a hotel at this place, by any of its names. */
export function placeTags({ city, cityName, region, geo }: Place): readonly string[] {
  const names = [city, cityName.default, ...Object.values(cityName.localized ?? {})]
  const cell = cellTag(rowOf(geo.lat), columnOf(geo.lng))
  return [...new Set([...names.map(cityTag), regionTag(region), cell, WIDE_PAGES])]
}

/** The tags that a change of a hotel at this place invalidates. */
export function summaryTags({ kind, key, name, city, region, geo }: PlaceSummary) {
  return placeTags({
    city: city?.key ?? key,
    cityName: city?.name ?? name,
    region: kind === 'region' ? key : (region?.key ?? ''),
    geo,
  })
}

/** The tags that a change of this hotel invalidates. */
export function listingTags(propertyId: PropertyId): readonly string[] {
  return [`listing:${propertyId}`]
}

/** The places of hotels that this process has shown; others are requested when needed. */
export type Places = LRUCache<PropertyId, Place>

const PLACES_MAX = 20_000

export function createPlaces(): Places {
  return new LRUCache({ max: PLACES_MAX })
}

export function cachePlaces(places: Places, listings: readonly Listing[]): void {
  for (const { propertyId, city, cityName, region, geo } of listings) {
    places.set(propertyId, { city, cityName, region, geo })
  }
}

function cityTag(name: string): string {
  return `city:${keyOf(name)}`
}

/** The index has only keys of regions, so any other name gets the tag of all wide pages. */
function regionTag(name: string): string {
  const key = keyOf(name)
  return key.startsWith('#') ? WIDE_PAGES : `region:${key}`
}

function keyOf(name: string): string {
  const key = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_'’.-]+/g, '-')
  return PLAIN_KEY.test(key) ? key : `#${hash('sha256', key, 'base64url')}`
}

function boxAround({ lat, lng, radiusKm }: { lat: number; lng: number; radiusKm: number }): Box {
  const up = radiusKm / KM_PER_DEGREE
  const aside = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return { swLat: lat - up, neLat: lat + up, swLng: lng - aside, neLng: lng + aside }
}

/** A box whose east is west of its west crosses the antimeridian. */
function cellsWithin({ swLat, swLng, neLat, neLng }: Box): string[] {
  const east = neLng < swLng ? neLng + 360 : neLng
  const rows = [rowOf(Math.max(-90, swLat)), rowOf(Math.min(90, neLat))] as const
  const columns = [Math.floor(swLng / CELL_DEGREES), Math.floor(east / CELL_DEGREES)] as const
  const count = (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1)
  if (!(count <= CELLS_MAX)) return [WIDE_PAGES]
  const tags: string[] = []
  for (let row = rows[0]; row <= rows[1]; row += 1) {
    for (let column = columns[0]; column <= columns[1]; column += 1) {
      tags.push(cellTag(row, ((column % CELLS_AROUND) + CELLS_AROUND) % CELLS_AROUND))
    }
  }
  return tags
}

function rowOf(lat: number): number {
  return Math.floor(lat / CELL_DEGREES)
}

function columnOf(lng: number): number {
  return ((Math.floor(lng / CELL_DEGREES) % CELLS_AROUND) + CELLS_AROUND) % CELLS_AROUND
}

function cellTag(row: number, column: number): string {
  return `cell:${row}:${column}`
}
