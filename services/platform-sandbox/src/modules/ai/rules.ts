import { addDays, type IsoDate } from '@melmastoon/domain'
import type { Proposal, Suggestion, SuggestionCategory } from '@melmastoon/upstream-contracts/ai'
import { type HotelFacts, type NightFacts, occupancyOf, type SourceRoomType } from './facts.ts'

/** A suggestion before it has an id and a provenance. */
export interface Draft
  extends Pick<Suggestion, 'severity' | 'title' | 'resourceKind' | 'resourceId'> {
  readonly proposal: Proposal
  readonly capability: string
  readonly confidence: number
  readonly validDays: number
  /** What it is about: the same condition on the same day has the same key. */
  readonly key: string
}

export type Rule = (facts: HotelFacts, isForced: boolean) => Draft | null

const HIGH_OCCUPANCY = 0.8
const LOW_OCCUPANCY = 0.35
const WEEK_NIGHTS = 7
const REORDER_ROOMS = 12
const ANOMALY_MIN = 4

/** Prices rise for a room type that is nearly sold out, and fall for one that is nearly empty. */
const suggestRate: Rule = ({ today, nights, roomTypes }, isForced) => {
  const until = addDays(today, WEEK_NIGHTS)
  const rated = roomTypes
    .map((roomType) => ({
      roomType,
      occupancy: occupancyOf(nightsOf(nights, roomType).filter(({ night }) => night < until)),
    }))
    .toSorted((a, b) => b.occupancy - a.occupancy)
  const [fullest, emptiest] = [rated.at(0), rated.at(-1)]
  if (fullest !== undefined && (fullest.occupancy >= HIGH_OCCUPANCY || isForced)) {
    return rateDraft(fullest, { today, until, percent: 112n })
  }
  if (emptiest !== undefined && emptiest.occupancy <= LOW_OCCUPANCY) {
    return rateDraft(emptiest, { today, until, percent: 90n })
  }
  return null
}

interface RateChange {
  readonly today: IsoDate
  readonly until: IsoDate
  readonly percent: bigint
}

function rateDraft(
  { roomType, occupancy }: { readonly roomType: SourceRoomType; readonly occupancy: number },
  { today, until, percent }: RateChange,
): Draft {
  const { roomTypeId, nightlyMicro, currency } = roomType
  const proposedMicro = (BigInt(nightlyMicro) * percent) / 100n
  return {
    capability: 'pricing.suggest',
    severity: 'info',
    title: {
      key: percent > 100n ? 'suggestions.rate_up' : 'suggestions.rate_down',
      params: { roomTypeId, occupancyPercent: Math.round(occupancy * 100) },
    },
    resourceKind: 'room_type',
    resourceId: roomTypeId,
    proposal: {
      kind: 'rate_change',
      roomTypeId,
      from: today,
      to: until,
      currentNightly: { amountMicro: nightlyMicro, currency },
      proposedNightly: { amountMicro: String(proposedMicro), currency },
    },
    confidence: 0.6 + Math.abs(occupancy - 0.5) / 2,
    validDays: 2,
    key: `rate:${roomTypeId}`,
  }
}

const warnOfOverbooking: Rule = ({ nights }, isForced) => {
  const full = nights.find(({ capacity, sold }) => capacity > 0 && sold >= capacity)
  const night = full ?? (isForced ? nights.at(0) : undefined)
  if (night === undefined) return null
  const { roomTypeId, capacity, sold } = night
  return {
    capability: 'anomaly.overbooking',
    severity: 'warning',
    title: { key: 'suggestions.overbooking', params: { roomTypeId, night: night.night } },
    resourceKind: 'room_type',
    resourceId: roomTypeId,
    proposal: {
      kind: 'overbooking_warning',
      roomTypeId,
      night: night.night,
      rooms: capacity,
      demand: sold + 1,
      action: 'stop_sale',
    },
    confidence: 0.75,
    validDays: 1,
    key: `overbooking:${roomTypeId}:${night.night}`,
  }
}

/** Floor by floor from the top, so that less is carried up and down. */
const reorderRooms: Rule = ({ propertyId, roomTypes, today }) => {
  const rooms = roomTypes
    .flatMap((roomType) => roomType.rooms)
    .toSorted((a, b) => b.floor - a.floor || (a.roomId < b.roomId ? -1 : 1))
    .slice(0, REORDER_ROOMS)
  if (rooms.length < 2) return null
  return {
    capability: 'housekeeping.route_optimize',
    severity: 'info',
    title: { key: 'suggestions.housekeeping_reorder', params: { rooms: rooms.length } },
    resourceKind: 'property',
    resourceId: propertyId,
    proposal: {
      kind: 'housekeeping_reorder',
      roomIds: rooms.map(({ roomId }) => roomId),
      date: today,
    },
    confidence: 0.7,
    validDays: 1,
    key: `reorder:${today}`,
  }
}

const suggestStaff: Rule = ({ propertyId, nights, today }, isForced) => {
  const byNight = Map.groupBy(
    nights.filter(({ night }) => night > today),
    ({ night }) => night,
  )
  const [busiest] = [...byNight]
    .map(([night, ofNight]) => ({ night, occupancy: occupancyOf(ofNight) }))
    .toSorted((a, b) => b.occupancy - a.occupancy)
  if (busiest === undefined || (busiest.occupancy < 0.7 && !isForced)) return null
  return {
    capability: 'staff.shift_optimize',
    severity: 'info',
    title: { key: 'suggestions.staffing', params: { date: busiest.night } },
    resourceKind: 'property',
    resourceId: propertyId,
    proposal: {
      kind: 'staffing',
      department: 'housekeeping',
      date: busiest.night,
      shift: 'morning',
      additionalStaff: busiest.occupancy > 0.9 ? 2 : 1,
    },
    confidence: 0.55,
    validDays: 3,
    key: `staffing:${busiest.night}`,
  }
}

const welcomeGuest: Rule = ({ arrivals }) => {
  const [reservationId] = arrivals
  if (reservationId === undefined) return null
  return {
    capability: 'guest.special_handling',
    severity: 'info',
    title: { key: 'suggestions.guest_special_handling', params: { reservationId } },
    resourceKind: 'reservation',
    resourceId: reservationId,
    proposal: {
      kind: 'guest_special_handling',
      reservationId,
      handlings: ['early_check_in', 'welcome_amenity'],
    },
    confidence: 0.5,
    validDays: 1,
    key: `guest:${reservationId}`,
  }
}

const reportCancellations: Rule = ({ propertyId, cancellations, today }, isForced) => {
  if (cancellations < ANOMALY_MIN && !isForced) return null
  return {
    capability: 'anomaly.detect',
    severity: 'warning',
    title: { key: 'suggestions.cancellation_cluster', params: { observed: cancellations } },
    resourceKind: 'property',
    resourceId: propertyId,
    proposal: {
      kind: 'audit_anomaly',
      anomaly: 'cancellation_cluster',
      observed: cancellations,
      expected: ANOMALY_MIN - 1,
      disposition: 'investigate',
    },
    confidence: 0.45,
    validDays: 3,
    key: `cancellations:${today}`,
  }
}

/** Fixed rules instead of a model. Maintenance suggestions follow from events of work orders. */
export const RULES = {
  overbooking_warning: warnOfOverbooking,
  rate_change: suggestRate,
  housekeeping_reorder: reorderRooms,
  guest_special_handling: welcomeGuest,
  staffing: suggestStaff,
  audit_anomaly: reportCancellations,
} as const satisfies Partial<Record<SuggestionCategory, Rule>>

export type RuleCategory = keyof typeof RULES
export const RULE_CATEGORIES = Object.keys(RULES) as readonly RuleCategory[]

/** At most one suggestion per rule. */
export function deriveDrafts(facts: HotelFacts): Draft[] {
  return Object.values<Rule>(RULES).flatMap((rule) => rule(facts, false) ?? [])
}

function nightsOf(nights: readonly NightFacts[], { roomTypeId }: SourceRoomType): NightFacts[] {
  return nights.filter((night) => night.roomTypeId === roomTypeId)
}
