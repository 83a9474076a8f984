import { findCity } from './cities.ts'
import { readNames } from './names.ts'
import { LANDMARK_ROWS } from './places/landmarks.ts'
import { OTHER_NAMES } from './places/other-names.ts'
import type { Names } from './world.ts'

export interface Landmark {
  readonly key: string
  /** The key of its town. */
  readonly city: string
  readonly country: string
  readonly name: Names
  readonly otherNames: readonly string[]
  readonly lat: number
  readonly lng: number
}

const FACTS = /^([a-z-]+) ([a-z-]+) (-?\d+\.\d{4}) (-?\d+\.\d{4})$/

export const LANDMARKS: readonly Landmark[] = linesOf(LANDMARK_ROWS).map(readLandmark)

function readLandmark(line: string): Landmark {
  const [facts = '', name = '', others = ''] = line.split('|').map((part) => part.trim())
  const [, key = '', city = '', lat, lng] = FACTS.exec(facts) ?? []
  if (key === '') throw new TypeError(`not the facts of a landmark: ${facts}`)
  return {
    key,
    city,
    country: findCity(city).country,
    name: readNames(name),
    otherNames: listOf(others),
    lat: Number(lat),
    lng: Number(lng),
  }
}

const otherNames = new Map(
  linesOf(OTHER_NAMES).map((line) => {
    const [place = '', names = ''] = line.split('=').map((part) => part.trim())
    return [place, listOf(names)] as const
  }),
)

/** Of a town or a region, by `kind:key`. */
export function otherNamesOf(place: string): readonly string[] {
  return otherNames.get(place) ?? []
}

/** For the check that every entry names a known place. */
export const PLACES_WITH_OTHER_NAMES: readonly string[] = [...otherNames.keys()]

function linesOf(table: string): string[] {
  return table.split('\n').filter((line) => line.trim() !== '')
}

function listOf(names: string): string[] {
  return names.split(';').flatMap((name) => name.trim() || [])
}
