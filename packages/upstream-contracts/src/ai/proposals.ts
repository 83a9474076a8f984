import { type Static, type TProperties, Type } from 'typebox'
import { id, isoDate, MicroMoney } from '../schemas.ts'

export const SUGGESTION_CATEGORIES = [
  'overbooking_warning',
  'rate_change',
  'housekeeping_reorder',
  'maintenance_priority',
  'guest_special_handling',
  'staffing',
  'audit_anomaly',
] as const
export type SuggestionCategory = (typeof SUGGESTION_CATEGORIES)[number]

/** The roles that decide on a suggestion: front desk, housekeeping, maintenance, management. */
export const SUGGESTION_CLASSES = ['desk', 'hk', 'mt', 'mgmt'] as const
export type SuggestionClass = (typeof SUGGESTION_CLASSES)[number]

export const CLASS_OF_CATEGORY: Readonly<Record<SuggestionCategory, SuggestionClass>> = {
  overbooking_warning: 'desk',
  rate_change: 'mgmt',
  housekeeping_reorder: 'hk',
  maintenance_priority: 'mt',
  guest_special_handling: 'desk',
  staffing: 'mgmt',
  audit_anomaly: 'mgmt',
}

const OVERBOOKING_ACTIONS = ['stop_sale', 'upgrade', 'relocate'] as const
const SPECIAL_HANDLINGS = [
  'early_check_in',
  'late_arrival',
  'quiet_room',
  'ground_floor',
  'extra_bed',
  'airport_pickup',
  'welcome_amenity',
] as const
const SHIFTS = ['morning', 'afternoon', 'night'] as const
const DEPARTMENTS = ['front_desk', 'housekeeping', 'maintenance'] as const
const DISPOSITIONS = ['investigate', 'escalate', 'ignore'] as const

/** Of a work order. */
const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const Priority = Type.Enum([...PRIORITIES])
const StaffCount = Type.Integer({ minimum: -10, maximum: 10 })
const OverbookingAction = Type.Enum([...OVERBOOKING_ACTIONS])
const PositiveMoney = Type.Object({
  amountMicro: Type.String({ pattern: '^[1-9]\\d{0,18}$' }),
  currency: MicroMoney.properties.currency,
})
const RoomOrder = Type.Array(id('rmu'), { minItems: 1, maxItems: 200, uniqueItems: true })
const Handlings = Type.Array(Type.Enum([...SPECIAL_HANDLINGS]), {
  minItems: 1,
  maxItems: SPECIAL_HANDLINGS.length,
  uniqueItems: true,
})

/** The proposed change per category; `kind` is the category. */
export const PROPOSALS = {
  overbooking_warning: Type.Object({
    kind: Type.Literal('overbooking_warning'),
    roomTypeId: id('rmt'),
    night: isoDate(),
    rooms: Type.Integer({ minimum: 0 }),
    demand: Type.Integer({ minimum: 0 }),
    action: OverbookingAction,
  }),
  rate_change: Type.Object({
    kind: Type.Literal('rate_change'),
    roomTypeId: id('rmt'),
    from: isoDate(),
    to: isoDate(),
    currentNightly: PositiveMoney,
    proposedNightly: PositiveMoney,
  }),
  housekeeping_reorder: Type.Object({
    kind: Type.Literal('housekeeping_reorder'),
    /** The rooms in the proposed order of cleaning. */
    roomIds: RoomOrder,
    date: isoDate(),
  }),
  maintenance_priority: Type.Object({
    kind: Type.Literal('maintenance_priority'),
    workOrderId: id('mnt'),
    currentPriority: Priority,
    proposedPriority: Priority,
  }),
  guest_special_handling: Type.Object({
    kind: Type.Literal('guest_special_handling'),
    reservationId: id('rsv'),
    handlings: Handlings,
  }),
  staffing: Type.Object({
    kind: Type.Literal('staffing'),
    department: Type.Enum([...DEPARTMENTS]),
    date: isoDate(),
    shift: Type.Enum([...SHIFTS]),
    /** More staff than planned, or fewer. */
    additionalStaff: StaffCount,
  }),
  audit_anomaly: Type.Object({
    kind: Type.Literal('audit_anomaly'),
    anomaly: Type.Enum(['unusual_discounts', 'repeated_key_issues', 'cancellation_cluster']),
    observed: Type.Integer({ minimum: 0 }),
    expected: Type.Integer({ minimum: 0 }),
    disposition: Type.Enum([...DISPOSITIONS]),
  }),
} as const

export const Proposal = Type.Union([
  PROPOSALS.overbooking_warning,
  PROPOSALS.rate_change,
  PROPOSALS.housekeeping_reorder,
  PROPOSALS.maintenance_priority,
  PROPOSALS.guest_special_handling,
  PROPOSALS.staffing,
  PROPOSALS.audit_anomaly,
])
export type Proposal = Static<typeof Proposal>
export type ProposalOf<C extends SuggestionCategory> = Extract<Proposal, { kind: C }>

const changed = <P extends TProperties>(properties: P) =>
  Type.Partial(closed(properties), { minProperties: 1, additionalProperties: false })

/**
 * What an operator may change in a proposal before accepting it, per category: the JSON Schema of
 * `modifiedDelta`. Every other member of the proposal is fixed.
 */
export const MODIFIED_DELTAS = {
  overbooking_warning: changed({ action: OverbookingAction }),
  rate_change: changed({ proposedNightly: PositiveMoney, from: isoDate(), to: isoDate() }),
  housekeeping_reorder: changed({ roomIds: RoomOrder }),
  maintenance_priority: changed({ proposedPriority: Priority }),
  guest_special_handling: changed({ handlings: Handlings }),
  staffing: changed({ additionalStaff: StaffCount, shift: Type.Enum([...SHIFTS]) }),
  audit_anomaly: changed({ disposition: Type.Enum([...DISPOSITIONS]) }),
} as const

export type ModifiedDeltaOf<C extends SuggestionCategory> = Static<(typeof MODIFIED_DELTAS)[C]>
