import type {
  DeviceId,
  Id,
  IsoDateTime,
  OperatorId,
  ProblemCode,
  PropertyId,
  ReservationId,
  RoomId,
  RoomKeyId,
  TenantId,
} from '@melmastoon/domain'
import type { KeyKind, LockVendor, RevokeReason } from '@melmastoon/upstream-contracts/lock'

export type LockActionId = Id<'lap'>

/** The first three are open, the last two are final. */
export const LOCK_STATES = ['requested', 'accepted', 'unknown', 'succeeded', 'failed'] as const
export type LockState = (typeof LOCK_STATES)[number]

/** As the audit records it. */
export const LOCK_OUTCOMES = ['pending', 'unknown', 'success', 'failure'] as const
export type LockOutcome = (typeof LOCK_OUTCOMES)[number]

/** Who reported a transition. */
export const TRANSITION_SOURCES = ['request', 'response', 'event', 'reconciler', 'manual'] as const
export type TransitionSource = (typeof TRANSITION_SOURCES)[number]

/** What the lock service is asked for: ids and times only, never a secret. */
export type LockCommand =
  | {
      readonly action: 'issue'
      readonly rooms: readonly RoomId[]
      readonly kind: KeyKind
      readonly validFrom: IsoDateTime
      readonly validUntil: IsoDateTime
      /** Besides a key of the same kind that the rooms already have. */
      readonly isAdditional: boolean
    }
  | {
      readonly action: 'revoke'
      /** Of the key, as far as they are known. */
      readonly rooms: readonly RoomId[]
      readonly reason: RevokeReason
    }
  | {
      readonly action: 'rebind'
      readonly rooms: readonly RoomId[]
      readonly priorRooms: readonly RoomId[]
    }
  | {
      readonly action: 'extend'
      readonly rooms: readonly RoomId[]
      readonly validUntil: IsoDateTime
    }

export interface LockActor {
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
}

/** Names this service in the audit: what follows from an event has no operator. */
export const SYSTEM_ACTOR: LockActor = {
  operatorId: 'opr_00000000000000000000000000' as OperatorId,
  deviceId: 'dev_00000000000000000000000000' as DeviceId,
}

export interface LockActionRecord {
  readonly tenantId: TenantId
  readonly actionId: LockActionId
  readonly propertyId: PropertyId
  readonly reservationId: ReservationId
  readonly actor: LockActor
  readonly vendor: LockVendor
  readonly command: LockCommand
  readonly keyId: RoomKeyId | null
  readonly targetId: LockActionId | null
  readonly state: LockState
  readonly outcome: LockOutcome
  readonly errorCode: ProblemCode | null
  readonly maxDelaySeconds: number
  readonly requestedAt: Date
  readonly settledAt: Date | null
  /** Since the command may have been sent; null while it is queued. */
  readonly sentSeconds: number | null
  readonly ageSeconds: number
  readonly tries: number
}

/** A new action, before it is recorded. */
export interface NewLockAction {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly reservationId: ReservationId
  readonly actor: LockActor
  readonly vendor: LockVendor
  readonly maxDelaySeconds: number
  readonly command: LockCommand
  readonly keyId: RoomKeyId | null
  readonly targetId?: LockActionId
  readonly attestationId?: Id<'mfa'>
  /** The same for every attempt of one request. */
  readonly requestKey: string
  /** The reconciler sends it. */
  readonly isQueued?: boolean
}

export function isOpen({ state }: Pick<LockActionRecord, 'state'>): boolean {
  return state === 'requested' || state === 'accepted' || state === 'unknown'
}

/** The rooms in which no other action may be open. */
export function roomsOf(command: LockCommand): readonly RoomId[] {
  return command.action === 'rebind'
    ? [...new Set([...command.rooms, ...command.priorRooms])]
    : command.rooms
}
