import { type CardView, type Hit, type OwnPart, ownPart } from './own-part.ts'

/** Parts of a card that come as JSON already. */
export interface CardParts {
  readonly brandPeek: string
  readonly rateSnapshot: string | undefined
}

/** A card as JSON text. The parts are put behind what the listing tells, as they are. */
export function writeCard(hit: Hit, parts: CardParts, view: CardView): string {
  const rate = parts.rateSnapshot === undefined ? '' : `,"rateSnapshot":${parts.rateSnapshot}`
  return `${openCard(ownPart(hit, view))},"brandPeek":${parts.brandPeek}${rate}}`
}

/** Its own part, to be closed by whoever puts the others behind it. */
export function openCard(own: OwnPart): string {
  return JSON.stringify(own).slice(0, -1)
}
