import { normalizeText, spellingsOf } from '../text/normalize-text.ts'

export interface Place {
  readonly kind: 'city' | 'region' | 'neighbourhood'
  readonly key: string
  readonly country: string
  readonly names: {
    readonly default: string
    readonly localized?: Readonly<Record<string, string>>
  }
  readonly lat: number
  readonly lng: number
}

/** Places by key, and by name in any language. */
export class Places {
  readonly all: readonly { readonly place: Place; readonly spellings: readonly string[] }[]
  readonly #byKey = new Map<string, Place>()
  readonly #byName = new Map<string, Place[]>()

  constructor(places: readonly Place[]) {
    this.all = places.map((place) => ({ place, spellings: namesOf(place).flatMap(spellingsOf) }))
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
}

export function namesOf({ names }: Pick<Place, 'names'>): string[] {
  return [names.default, ...Object.values(names.localized ?? {})]
}
