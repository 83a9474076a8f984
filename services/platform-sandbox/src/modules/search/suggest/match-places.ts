import type { ListingIndex } from '../index/listing-index.ts'
import type { NamedPlace, Place } from '../index/places.ts'
import { normalizeText } from '../text/normalize-text.ts'
import { toPhonemes } from '../text/phonemes.ts'
import {
  type Sounds,
  soundDistance,
  startCost,
  toleranceFor,
  toSounds,
} from '../text/sound-distance.ts'
import { type Reading, readingsOf } from './readings.ts'

export interface PlaceMatch {
  readonly place: Place
  /**
   * Smaller is better. Exact: 0 where the text is a name, 1 where a name starts with it, 2 where a
   * later word does. Similar: the distance of the sounds.
   */
  readonly rank: number
  readonly isExact: boolean
}

/**
 * The text itself is compared first, by spelling and then by sound; after that the ways to split it
 * into the name of a place and the names around it. The first reading with a match decides, so a
 * similar name is never listed next to an exact one.
 */
export function matchPlaces(index: ListingIndex, words: readonly string[]): PlaceMatch[] {
  const { whole, split } = readingsOf(words)
  for (const readings of [whole, split]) {
    const found =
      firstMatches(index, readings, exactRank) ?? firstMatches(index, readings, similarRank)
    if (found !== null) return found
  }
  return []
}

/** Only similar names: for a place that is not known by the typed name. */
export function similarPlaces(index: ListingIndex, words: readonly string[]): PlaceMatch[] {
  const { whole, split } = readingsOf(words)
  return firstMatches(index, [...whole, ...split], similarRank) ?? []
}

interface Ranking {
  readonly isExact: boolean
  readonly rankOf: (named: NamedPlace) => number | null
}

type Rank = (reading: Reading) => Ranking

/** The first reading of the text that any place matches. */
function firstMatches(index: ListingIndex, readings: readonly Reading[], rank: Rank) {
  for (const reading of readings) {
    const { isExact, rankOf } = rank(reading)
    const found: PlaceMatch[] = []
    for (const named of index.places.all) {
      const value = rankOf(named)
      if (value === null || !liesIn(index, named.place, reading.context)) continue
      found.push({ place: named.place, rank: value, isExact })
    }
    if (found.length > 0) return isExact ? found : nearest(found)
  }
  return null
}

/** Whole names are compared without spaces: spellings separate words differently. */
function exactRank({ name }: Reading): Ranking {
  const joined = name.replaceAll(' ', '')
  return {
    isExact: true,
    rankOf: ({ spellings, joined: compact }) => {
      if (compact.includes(joined)) return 0
      if (spellings.some((spelling) => spelling.startsWith(name))) return 1
      return spellings.some((spelling) => spelling.includes(` ${name}`)) ? 2 : null
    },
  }
}

/** A name that continues after the text is a little further away, the more the longer it is. */
const CONTINUED = 25
const CONTINUED_PER_SOUND = 5
const PREFIX_SOUNDS_MIN = 4

function similarRank({ name }: Reading): Ranking {
  const typed = toSounds(toPhonemes(name))
  const limit = toleranceFor(typed.length)
  return {
    isExact: false,
    rankOf: ({ sounds }) => {
      let least: number | null = null
      if (limit === 0) return least
      for (const heard of sounds) {
        const distance = distanceOf(typed, heard, limit)
        if (distance <= limit && (least === null || distance < least)) least = distance
      }
      return least
    },
  }
}

function distanceOf(typed: Sounds, heard: Sounds, limit: number): number {
  const { whole, prefix } = soundDistance(typed, heard, limit)
  const start = startCost(typed, heard)
  if (typed.length < PREFIX_SOUNDS_MIN) return whole + start
  const rest = Math.max(0, heard.length - typed.length) * CONTINUED_PER_SOUND
  return Math.min(whole, prefix + CONTINUED + rest) + start
}

/** Clearly worse matches than the best one are noise. */
const NOISE = 40

function nearest(found: readonly PlaceMatch[]): PlaceMatch[] {
  const best = Math.min(...found.map(({ rank }) => rank))
  return found.filter(({ rank }) => rank <= best + NOISE)
}

/** Whether every further word of the text names the place, or its city, region or country. */
function liesIn(index: ListingIndex, place: Place, context: readonly string[]): boolean {
  if (context.length === 0) return true
  const words = surroundingsOf(index, place)
  return context.every((typed) => words.some((word) => word.startsWith(typed)))
}

function surroundingsOf({ places }: ListingIndex, place: Place): string[] {
  const { city, region, country } = place
  const around = [
    place,
    city === null ? undefined : places.get('city', city),
    region === null ? undefined : places.get('region', region),
  ]
  const names = places.all.flatMap((named) => (around.includes(named.place) ? named.spellings : []))
  return [...countryWords(country), ...names.flatMap((name) => name.split(' '))]
}

const countries = new Map<string, readonly string[]>()

function countryWords(code: string): readonly string[] {
  const known = countries.get(code)
  if (known !== undefined) return known
  const names = ['en', 'fa-AF', 'ps-AF', 'ar'].map((locale) => countryName(code, locale))
  const words = [code, ...names].flatMap((name) => normalizeText(name).split(' '))
  countries.set(code, words)
  return words
}

function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code
}
