import type { Scenery } from '../../world/city.ts'
import type { SeededRandom } from '../../world/seeded-random.ts'
import type { Light } from '../light.ts'

export interface Motif {
  readonly random: SeededRandom
  readonly light: Light
  readonly scenery: Scenery
}

/** The parts of a motif: definitions in addition to those of the sky, and the picture itself. */
export interface Painted {
  readonly defs: string
  readonly body: string
}
