import type { Names } from './world.ts'

/** The surroundings of a town: determine its seasons and the motifs of photos. */
export const SCENERIES = ['mountain', 'desert', 'sea', 'north', 'town'] as const
export type Scenery = (typeof SCENERIES)[number]

export interface Quarter {
  readonly en: string
  /** Absent where the quarter has no name in Arabic script. */
  readonly localized: Names['localized'] | null
  /** Its centre. */
  readonly lat: number
  readonly lng: number
}

export interface City {
  /** Lower-case Latin, `mazar-i-sharif`. */
  readonly key: string
  readonly name: Names
  /** The name in the local language. */
  readonly nativeName: string
  readonly country: string
  readonly region: { readonly key: string; readonly name: Names }
  readonly lat: number
  readonly lng: number
  readonly timeZone: string
  readonly scenery: Scenery
  readonly spreadKm: number
  /** The inland direction from the centre of a coastal town. */
  readonly inlandBearing: number | null
  /** Its share of all properties, relative to the sum of all weights. */
  readonly weight: number
  readonly quarters: readonly Quarter[]
}
