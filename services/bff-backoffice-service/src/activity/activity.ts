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

/** Of operators who use a command line of the platform: they have no device and no session. */
export const COMMAND_LINE = {
  deviceId: `dev_${'0'.repeat(26)}` as DeviceId,
  sessionId: `bos_${'0'.repeat(26)}` as Id<'bos'>,
} as const

export interface Ledger {
  /** Resolves when the row is committed. @throws Problem DEPENDENCY_UNAVAILABLE */
  record(activity: Activity): Promise<void>
}
