import { fingerprint } from '@melmastoon/chassis/idempotency'
import { type Id, isId } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'
import { correctTime, type DeviceClock } from './device-clock.ts'
import type { Intent } from './intent.ts'
import type { NewIntent } from './intent-store.ts'
import { findIntentKind } from './intent-table.ts'

/** An intent of a batch that has a usable id. */
export interface ReceivedIntent {
  readonly intentId: Id<'int'>
  /** Undefined: invalid. */
  readonly intent: Intent | undefined
  readonly sent: unknown
}

/** From whom it was received, and when. */
export interface Sender {
  readonly operator: Operator
  readonly bootId: string
  readonly deviceClock: DeviceClock
}

export const hasUnknownName = ({ intent }: ReceivedIntent): boolean =>
  intent !== undefined && findIntentKind(intent.name) === undefined

/** As it is stored when it arrives for the first time. */
export function newIntent(
  { intentId, intent, sent }: ReceivedIntent,
  { operator, bootId, deviceClock }: Sender,
): NewIntent {
  const { tenantId, deviceId, operatorId } = operator
  const kind = intent && findIntentKind(intent.name)
  return {
    tenantId,
    deviceId,
    operatorId,
    intentId,
    bootId,
    name: kind?.name ?? 'unknown',
    resourceId: kind && isId(kind.resource, intent?.resourceId) ? intent.resourceId : null,
    seq: intent?.seq ?? 0,
    contentHash: fingerprint(intent ? contentOf(intent) : sent).value,
    occurredAt: intent ? correctTime(deviceClock, intent.occurredAt) : null,
    clockSuspect: deviceClock.isSuspect,
    receivedAt: deviceClock.receivedAt,
  }
}

/** What must be the same whenever the id is used: not its number, and not a time. */
function contentOf({ name, resourceId, expect, args, dependsOn }: Intent) {
  return { name, resourceId, expect, args, ...(dependsOn !== undefined && { dependsOn }) }
}
