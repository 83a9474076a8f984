import type { Names } from './world.ts'

/** What lies around a town: it decides the seasons and what photos show. */
export const SCENERIES = ['mountain', 'desert', 'sea', 'north', 'town'] as const
export type Scenery = (typeof SCENERIES)[number]

export interface Quarter {
  readonly en: string
  /** Absent where the quarter has no name in Arabic script. */
  readonly localized: Names['localized'] | null
}

export interface City {
  /** Lower-case Latin, `mazar-i-sharif`. */
  readonly key: string
  readonly name: Names
  /** As its own people write it. */
  readonly nativeName: string
  readonly country: string
  readonly region: { readonly key: string; readonly name: Names }
  readonly lat: number
  readonly lng: number
  readonly timeZone: string
  readonly scenery: Scenery
  readonly spreadKm: number
  /** Where the land is, seen from the middle of a town by the sea. */
  readonly inlandBearing: number | null
  /** Its share of all properties, against the sum of all weights. */
  readonly weight: number
  readonly quarters: readonly Quarter[]
}
