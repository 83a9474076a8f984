import { hash } from 'node:crypto'
import type { GeoArea } from '@melmastoon/upstream-contracts/search'

/** On every page there is: tenants that come and go, themes. */
export const EVERY_PAGE = 'search'
/** On pages of areas too wide, or regions named otherwise, to be told apart. */
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
 * Known before a page is loaded, so they cannot name the hotels on it: they say where on earth it
 * looks. A change of one hotel then spares the pages of all other places.
 */
export function tagsOfArea(area: GeoArea): readonly string[] {
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

/** Every page that might show something at this place, by whichever name it was asked for. */
export function tagsOfPlace({ city, cityName, region, geo }: Place): readonly string[] {
  const names = [city, cityName.default, ...Object.values(cityName.localized ?? {})]
  const cell = cellTag(rowOf(geo.lat), columnOf(geo.lng))
  return [...new Set([...names.map(cityTag), regionTag(region), cell, WIDE_PAGES])]
}

function cityTag(name: string): string {
  return `city:${keyOf(name)}`
}

/** Of regions the index tells the key alone, so other names for one cannot be told apart. */
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

/** Antimeridian-safe: a box whose east lies west of its west goes round the back. */
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
