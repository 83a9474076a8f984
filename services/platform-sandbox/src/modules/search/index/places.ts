import type { PlaceSummary } from '@melmastoon/upstream-contracts/search'
import { normalizeText, spellingsOf } from '../text/normalize-text.ts'
import { toPhonemes } from '../text/phonemes.ts'
import { FAR, type Sounds, soundDistance, toSounds } from '../text/sound-distance.ts'

export interface Place {
  readonly kind: PlaceSummary['kind']
  readonly key: string
  readonly country: string
  readonly names: {
    readonly default: string
    readonly localized?: Readonly<Record<string, string>>
  }
  /** Found like its names, never shown. */
  readonly otherNames: readonly string[]
  /** The keys of the city and the region it belongs to; null for a city or region itself. */
  readonly city: string | null
  readonly region: string | null
  readonly lat: number
  readonly lng: number
}

export interface NamedPlace {
  readonly place: Place
  /** Normalized. */
  readonly spellings: readonly string[]
  /** Without spaces. */
  readonly joined: readonly string[]
  readonly sounds: readonly Sounds[]
}

/** Shorter names, such as airport codes, have no similar spellings. */
const SOUNDS_MIN = 3
/** Vowels and weak consonants differ, no other sound. */
const TRANSLITERATION_MAX = 60

/** Places by key, and by name in any language and spelling. */
export class Places {
  readonly all: readonly NamedPlace[]
  readonly #byKey = new Map<string, Place>()
  readonly #byName = new Map<string, Place[]>()

  constructor(places: readonly Place[]) {
    this.all = places.map(nameOf)
    for (const { place, spellings } of this.all) {
      this.#byKey.set(`${place.kind}:${place.key}`, place)
      for (const name of new Set([normalizeText(place.key), ...spellings])) {
        const slot = `${place.kind}:${name}`
        this.#byName.set(slot, [...(this.#byName.get(slot) ?? []), place])
      }
    }
  }

  get(kind: Place['kind'], key: string): Place | undefined {
    return this.#byKey.get(`${kind}:${key}`)
  }

  /** Different places may share a name; all of them are returned. */
  named(kind: Place['kind'], name: string): readonly Place[] {
    return this.#byName.get(`${kind}:${normalizeText(name)}`) ?? []
  }

  /**
   * By name, else by transliteration: the only place whose name has the same consonants. A typing
   * error names no place, so that no search silently goes elsewhere.
   */
  resolve(kind: Place['kind'], name: string): readonly Place[] {
    const exact = this.named(kind, name)
    return exact.length > 0 ? exact : this.#transliterated(kind, name)
  }

  #transliterated(kind: Place['kind'], name: string): readonly Place[] {
    const typed = toSounds(toPhonemes(normalizeText(name)))
    if (typed.length < SOUNDS_MIN) return []
    let nearest: Place[] = []
    let least = TRANSLITERATION_MAX
    for (const named of this.all) {
      if (named.place.kind !== kind) continue
      const distance = nearestOf(named.sounds, typed, least)
      if (distance > least) continue
      nearest = distance < least ? [named.place] : [...nearest, named.place]
      least = distance
    }
    return nearest.length === 1 ? nearest : []
  }
}

function nearestOf(names: readonly Sounds[], typed: Sounds, limit: number): number {
  let least = FAR.whole
  for (const name of names) least = Math.min(least, soundDistance(typed, name, limit).whole)
  return least
}

function nameOf(place: Place): NamedPlace {
  const spellings = [...new Set([...namesOf(place), ...place.otherNames].flatMap(spellingsOf))]
  const heard = new Set(spellings.map(toPhonemes).filter((text) => text.length >= SOUNDS_MIN))
  const joined = spellings.map((spelling) => spelling.replaceAll(' ', ''))
  return { place, spellings, joined, sounds: [...heard].map(toSounds) }
}

export function namesOf({ names }: Pick<Place, 'names'>): string[] {
  return [names.default, ...Object.values(names.localized ?? {})]
}
