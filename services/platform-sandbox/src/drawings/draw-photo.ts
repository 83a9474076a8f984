import type { Scenery } from '../world/city.ts'
import { SeededRandom } from '../world/seeded-random.ts'
import { drawLight, skyDefs } from './light.ts'
import type { Motif, Painted } from './motifs/motif.ts'
import { paintBreakfast } from './motifs/paint-breakfast.ts'
import { paintCourtyard } from './motifs/paint-courtyard.ts'
import { paintFacade } from './motifs/paint-facade.ts'
import { paintRoom } from './motifs/paint-room.ts'
import { paintView } from './motifs/paint-view.ts'
import type { PhotoMotif } from './photo-motif.ts'
import { document } from './svg.ts'

const PAINTERS: Readonly<Record<PhotoMotif, (motif: Motif) => Painted>> = {
  facade: paintFacade,
  courtyard: paintCourtyard,
  room: paintRoom,
  breakfast: paintBreakfast,
  view: paintView,
}

export interface PhotoPlan {
  /** Equal seeds give equal drawings. */
  readonly seed: string
  readonly motif: PhotoMotif
  readonly scenery: Scenery
}

export function drawPhoto({ seed, motif, scenery }: PhotoPlan): string {
  const random = SeededRandom.of(`photo:${seed}`)
  const light = drawLight(random)
  const { defs, body } = PAINTERS[motif]({ random, light, scenery })
  return document(skyDefs(light) + defs, body)
}
