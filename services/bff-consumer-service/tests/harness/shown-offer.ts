import { addDays, type IsoDate } from '@melmastoon/domain'
import { PLANS, type PlanCode } from './fake-upstreams/offer-responses.ts'
import { ROOM_TYPE_ID } from './fake-upstreams/property-responses.ts'

const NAMES = { NRF: 'Non-refundable', BAR: 'Flexible' } as const

/** The terms of a plan of the fake upstreams, as guests see them. */
export function shownTerms(code: PlanCode, checkIn: string, suffix = '') {
  const freeUntil = `${addDays(checkIn as IsoDate, -2)}T07:30:00.000Z`
  return {
    roomTypeId: ROOM_TYPE_ID,
    roomTypeName: `Twin room${suffix}`,
    ratePlanId: PLANS[code].ratePlanId,
    ratePlanCode: code,
    ratePlanName: `${NAMES[code]}${suffix}`,
    category: code === 'BAR' ? 'bar' : 'non-refundable',
    board: 'breakfast',
    cancellation:
      code === 'BAR'
        ? { kind: 'free', freeUntil, freeUntilHours: 48, penaltyBasisPoints: 10_000 }
        : { kind: 'none', freeUntilHours: 0, penaltyBasisPoints: 10_000 },
    payment: { timing: 'either', depositBasisPoints: 2_000 },
  }
}

export function shownPriceTerms(code: PlanCode, suffix = '') {
  const label = `Value added tax${suffix}`
  return {
    charges: [{ kind: 'tax', code: 'vat', label, amountMinor: 5_000, included: true }],
    roomsLeft: 3,
    digest: PLANS[code].digest,
  }
}

/** The member `offer` of a rate snapshot. */
export function shownOffer(code: PlanCode, checkIn: string, suffix = '') {
  return { ...shownTerms(code, checkIn, suffix), ...shownPriceTerms(code, suffix) }
}
