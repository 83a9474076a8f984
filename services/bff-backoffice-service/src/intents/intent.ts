import type {
  DeviceId,
  Id,
  OperatorId,
  ProblemCode,
  PropertyId,
  TenantId,
} from '@melmastoon/domain'

/** What a device asks for: one named change with the state that its operator had seen. */
export interface Intent {
  readonly intentId: Id<'int'>
  /** Orders the intents of this device on one resource. */
  readonly seq: number
  readonly name: string
  readonly resourceId: string
  readonly expect: unknown
  readonly args: unknown
  /** By the clock of the device. */
  readonly occurredAt: Date
  readonly dependsOn?: Id<'int'>
}

export interface DeviceRef {
  readonly tenantId: TenantId
  readonly deviceId: DeviceId
}

/** What the device should do with a rejected intent. */
export const NEXT_STEPS = ['fix', 'retry_online', 'ask_lead', 'drop'] as const
export type NextStep = (typeof NEXT_STEPS)[number]

/** Who made a change, and when; null: the platform itself. */
export interface Maker {
  readonly by: OperatorId | null
  readonly at: string
}

/** The resource as it is instead of what the device expected. */
export interface CurrentState {
  readonly status: string
  readonly version: number
}

/**
 * - `applied`: the expectation held, and this intent made the change.
 * - `already_done`: the goal holds, made by another.
 * - `superseded`: the expectation did not hold, and the goal does not hold.
 * - `rejected`: invalid, or not allowed on arrival.
 */
export type Verdict =
  | { readonly verdict: 'applied' }
  | ({ readonly verdict: 'already_done' } & Maker)
  | ({ readonly verdict: 'superseded'; readonly current: CurrentState } & Maker)
  | { readonly verdict: 'rejected'; readonly code: ProblemCode; readonly next: NextStep }

export const VERDICTS = ['applied', 'already_done', 'superseded', 'rejected'] as const

/** A verdict, and the property of the resource if it was read. */
export interface Finding {
  readonly verdict: Verdict
  readonly propertyId: PropertyId | null
}

const NEXT: Partial<Record<ProblemCode, NextStep>> = {
  'MELMASTOON.GENERAL.VALIDATION_FAILED': 'fix',
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND': 'drop',
  'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN': 'ask_lead',
  'MELMASTOON.BFF.BACKOFFICE.INTENT_ID_REUSED': 'fix',
  'MELMASTOON.BFF.BACKOFFICE.INTENT_DEPENDENCY_FAILED': 'drop',
  'MELMASTOON.MAINTENANCE.ROOM_REQUIRED': 'fix',
  'MELMASTOON.RESERVATION.ROOMS_MISMATCH': 'fix',
  'MELMASTOON.BILLING.CURRENCY_MISMATCH': 'fix',
  'MELMASTOON.BILLING.NEGATIVE_AMOUNT': 'fix',
  'MELMASTOON.AI.DELTA_INVALID': 'fix',
}

/** Where nothing else is known, the operator decides again with the current state. */
export function rejected(code: ProblemCode): Verdict & { readonly verdict: 'rejected' } {
  return { verdict: 'rejected', code, next: NEXT[code] ?? 'retry_online' }
}
