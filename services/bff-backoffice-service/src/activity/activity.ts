import type { DeviceId, Id, OperatorId, PropertyId, TenantId } from '@melmastoon/domain'

/** One action of an operator: ids only (B17). */
export interface Activity {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId | null
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
  readonly sessionId: Id<'bos'>
  readonly occurredAt: Date
  /** The area, for example `desk`. */
  readonly category: string
  /** For example `reservation.check_in`. */
  readonly action: string
  readonly resourceKind: string | null
  readonly resourceId: string | null
  readonly outcome: 'success' | 'failure'
  readonly latencyMs: number
  readonly errorCode: string | null
}

export interface Ledger {
  /** Resolves when the row is committed. @throws Problem DEPENDENCY_UNAVAILABLE */
  record(activity: Activity): Promise<void>
}
