import { firstRestriction } from '../engine/check-restrictions.ts'
import type { Plan, RateCard, Room } from '../engine/rate-card.ts'
import { StayTotals } from '../engine/stay-totals.ts'
import { partyReason, plansFor, roomReason } from './find-reason.ts'
import type { HotelStock } from './hotel-stock.ts'
import type { HotelTime, OfferedStay } from './offered-stay.ts'

export interface CheapestOffer {
  readonly plan: Plan
  readonly room: Room
  /** In minor units of the hotel. */
  readonly totalMinor: number
}

/**
 * The shown offer of many hotels for one stay: the cheapest that can be booked. Previews, offers,
 * the calendar and the price filter and order of searches all use it.
 */
export class CheapestOffers {
  readonly #stay: OfferedStay
  readonly #totals: StayTotals

  constructor(stay: OfferedStay) {
    this.#stay = stay
    this.#totals = new StayTotals(stay)
  }

  /** Rooms and plans are sorted, so that among equal totals the choice is deterministic. */
  find(card: RateCard, stock: HotelStock, time: HotelTime): CheapestOffer | null {
    const stay = this.#stay
    const { today } = time
    if (partyReason(card, { stay, time }) !== null) return null
    const plans = this.#plansFor(card, time)
    let cheapest: CheapestOffer | null = null
    for (const room of card.rooms) {
      if (roomReason(room, stock, stay) !== null) continue
      for (const plan of plans) {
        if (!plan.nightly.has(room.roomTypeId)) continue
        const totalMinor = this.#totals.totalOf(card, { plan, room, today })
        if (cheapest === null || totalMinor < cheapest.totalMinor) {
          cheapest = { plan, room, totalMinor }
        }
      }
    }
    return cheapest
  }

  #plansFor(card: RateCard, time: HotelTime): readonly Plan[] {
    const { arrival, nights } = this.#stay
    const restricted = { arrival, nights, today: time.today }
    return plansFor(card, this.#stay, time).filter(
      (plan) => firstRestriction(plan, restricted) === null,
    )
  }

  /** One room in the cheapest night, in minor units of the hotel. */
  cheapestNightOf(card: RateCard, { plan, room }: CheapestOffer, { today }: HotelTime): number {
    return this.#totals.cheapestNightOf(card, { plan, room, today })
  }
}
