import { daysBetween, type IsoDate } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import type { Badge } from './listing-card.ts'

const NEW_FOR_DAYS = 90

export interface Standpoint {
  /** The cloud region we answer from. */
  readonly region: string
  readonly today: IsoDate
}

type Marked = Pick<Listing, 'deliveryRegion' | 'shariaCompliant' | 'openedOn'>

export function badgesOf(listing: Marked, { region, today }: Standpoint): Badge[] {
  const badges: Badge[] = []
  if (listing.deliveryRegion !== region) badges.push('crossRegionDelivery')
  if (listing.shariaCompliant) badges.push('shariaCompliant')
  if (daysBetween(listing.openedOn, today) <= NEW_FOR_DAYS) badges.push('newProperty')
  return badges
}
