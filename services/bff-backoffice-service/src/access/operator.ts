import type { DeviceId, Id, OperatorId, PropertyId, TenantId } from '@melmastoon/domain'
import { problem } from '@melmastoon/domain'
import type { Operator as TenantOperator } from '@melmastoon/upstream-contracts/tenant'

export const OPERATOR_ROLES = [
  'front_desk',
  'housekeeping',
  'maintenance',
  'general_manager',
  'owner',
] as const

export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** Which fields of a board an operator sees; part of the cache keys of boards. */
export type BoardClass = 'desk' | 'hk' | 'mt' | 'mgmt'

/** `'*'`: all properties of the tenant, also those added later. */
export type PropertyScope = '*' | ReadonlySet<PropertyId>

/** The authenticated sender of a request: valid for this request only. */
export interface Operator {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
  readonly sessionId: Id<'bos'>
  /** The thumbprint of the device's key. */
  readonly jkt: string
  /** At least one. */
  readonly roles: readonly OperatorRole[]
  /** Leads of housekeeping and maintenance decide and inspect. */
  readonly isLead: boolean
  readonly properties: PropertyScope
  /** A larger charge requires a second factor; absent: no charge is too large. */
  readonly chargeLimit?: TenantOperator['chargeLimit'] | undefined
  /** When the access token expires; a stream must be renewed before. */
  readonly tokenExpiresAt: Date
}

/** What an operator may see and do. */
export type GrantedScope = Pick<Operator, 'operatorId' | 'roles' | 'isLead' | 'properties'>

/** The first role that the operator has decides: managers see most. */
const BOARD_CLASSES: readonly (readonly [OperatorRole, BoardClass])[] = [
  ['owner', 'mgmt'],
  ['general_manager', 'mgmt'],
  ['front_desk', 'desk'],
  ['housekeeping', 'hk'],
  ['maintenance', 'mt'],
]

export function boardClassOf({ roles }: Pick<Operator, 'roles'>): BoardClass {
  const found = BOARD_CLASSES.find(([role]) => roles.includes(role))
  if (found === undefined) throw problem('MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN')
  return found[1]
}

export function mayUseProperty(
  { properties }: Pick<Operator, 'properties'>,
  propertyId: PropertyId,
): boolean {
  return properties === '*' || properties.has(propertyId)
}

/** The property of everything that this operator does, if there is only one. */
export function onlyPropertyOf({ properties }: Pick<Operator, 'properties'>): PropertyId | null {
  if (properties === '*' || properties.size !== 1) return null
  return properties.values().next().value ?? null
}

/** @throws Problem as for an unknown id: a property out of scope does not exist (D18). */
export function requireProperty(
  operator: Pick<Operator, 'properties'>,
  propertyId: PropertyId,
): PropertyId {
  if (!mayUseProperty(operator, propertyId)) {
    throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  }
  return propertyId
}
