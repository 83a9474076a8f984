import { type City, type Quarter, SCENERIES, type Scenery } from './city.ts'
import { readNames } from './names.ts'
import { quarterNames } from './words/quarter-names.ts'

export interface PlaceTable {
  readonly country: string
  readonly timeZone: string
  readonly rows: string
}

const FACTS =
  /^([a-z-]+) (-?\d+\.\d+) (-?\d+\.\d+) (\w+) (\d+(?:\.\d)?)km(?: @(\d+))? x(\d+(?:\.\d)?)$/
const QUARTER = /^(.+?) @(-?\d+\.\d+),(-?\d+\.\d+)$/

/**
 * A town is a line `key lat lng scenery spread [@inland bearing] xweight | name | region | native`,
 * followed by indented neighbourhoods `English @lat,lng = Pashto = Dari; …`. A missing region or
 * native name equals the name of the town; a missing neighbourhood is its centre.
 */
export function readPlaces(table: PlaceTable): City[] {
  const cities: City[] = []
  const lines = table.rows.split('\n').filter((line) => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    if (line.startsWith(' ')) continue
    const below = lines[index + 1]
    cities.push(readCity(table, line, below?.startsWith(' ') ? below : null))
  }
  return cities
}

function readCity(table: PlaceTable, line: string, quarters: string | null): City {
  const [facts = '', name = '', region = '', native = ''] = line.split('|').map((s) => s.trim())
  const match = FACTS.exec(facts)
  if (match === null) throw new TypeError(`not the facts of a town: ${facts}`)
  const [, key = '', lat, lng, scenery = '', spread, bearing, weight] = match
  const cityName = readNames(name)
  const regionName = region === '' ? cityName : readNames(region)
  const centre = { lat: Number(lat), lng: Number(lng) }
  return {
    key,
    name: cityName,
    nativeName: native || nativeIn(table.country, cityName.localized['fa-AF'], cityName.default),
    country: table.country,
    region: { key: toKey(regionName.default), name: regionName },
    ...centre,
    timeZone: table.timeZone,
    scenery: readScenery(scenery),
    spreadKm: Number(spread),
    inlandBearing: bearing === undefined ? null : Number(bearing),
    weight: Number(weight),
    quarters: quarters === null ? [centralQuarter(centre)] : quarters.split(';').map(readQuarter),
  }
}

function nativeIn(country: string, dari: string, english: string): string {
  return country === 'AF' || country === 'IR' ? dari : english
}

function readScenery(text: string): Scenery {
  const scenery = SCENERIES.find((known) => known === text)
  if (scenery === undefined) throw new TypeError(`not a scenery: ${text}`)
  return scenery
}

function centralQuarter(centre: { lat: number; lng: number }): Quarter {
  return { en: 'City Centre', localized: { 'ps-AF': 'مرکز', 'fa-AF': 'مرکز' }, ...centre }
}

function readQuarter(text: string): Quarter {
  const [located = '', ps, fa] = text.split('=').map((part) => part.trim())
  const [, en = '', lat, lng] = QUARTER.exec(located) ?? []
  if (en === '') throw new TypeError(`not a neighbourhood with coordinates: ${located}`)
  const localized = ps ? { 'ps-AF': ps, 'fa-AF': fa ?? ps } : quarterNames(en)
  return { en, localized, lat: Number(lat), lng: Number(lng) }
}

/** Diacritics are removed: `Île-de-France` is `ile-de-france`. */
export function toKey(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ø', 'o')
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}
