import { fingerprint } from '@melmastoon/chassis/idempotency'
import type { Operator } from '../access/operator.ts'
import { correctTime, type DeviceClock } from './device-clock.ts'
import type { Intent } from './intent.ts'
import type { NewIntent } from './intent-store.ts'

/** An intent of a batch. */
export interface ReceivedIntent {
  readonly intent: Intent
  /** Whether its name is known and its content fulfils the schemas of that name. */
  readonly isValid: boolean
}

/** From whom it was received, and when. */
export interface Sender {
  readonly operator: Operator
  readonly bootId: string
  readonly deviceClock: DeviceClock
}

/** As it is stored when it arrives for the first time. */
export function newIntent(intent: Intent, { operator, bootId, deviceClock }: Sender): NewIntent {
  const { tenantId, deviceId, operatorId } = operator
  const { intentId, name, resourceId, seq } = intent
  return {
    tenantId,
    deviceId,
    operatorId,
    intentId,
    bootId,
    name,
    resourceId,
    seq,
    contentHash: contentHashOf(intent),
    occurredAt: correctTime(deviceClock, intent.occurredAt),
    clockSuspect: deviceClock.isSuspect,
    receivedAt: deviceClock.receivedAt,
  }
}

/** What must be the same whenever the id is used: not its number, and not a time. */
export function contentHashOf({ name, resourceId, expect, args, dependsOn }: Intent): string {
  const content = { name, resourceId, expect, args, ...(dependsOn !== undefined && { dependsOn }) }
  return fingerprint(content).value
}
