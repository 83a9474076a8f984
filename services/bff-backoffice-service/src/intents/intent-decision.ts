import { type ProblemCode, toIsoDateTime } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { onlyPropertyOf } from '../access/operator.ts'
import type { Activity } from '../activity/activity.ts'
import { intentDecided } from '../events/intent-events.ts'
import type { registry } from '../events/registry.ts'
import type { Finding } from './intent.ts'
import type { Decision, StoredIntent } from './intent-store.ts'
import { findIntentKind } from './intent-table.ts'
import type { Sender } from './new-intent.ts'

export interface Found {
  readonly stored: StoredIntent
  readonly finding: Finding
}

export interface DecisionContext extends Sender {
  readonly registry: Pick<typeof registry, 'build'>
  readonly decidedAt: Date
  readonly cause: EventContext
}

/** Verdict, activity and event. */
export function decisionOf(found: Found, context: DecisionContext): Decision {
  const { stored, finding } = found
  const { verdict, propertyId } = finding
  const { intentId, operatorId, deviceId, name, resourceId, clockSuspect, occurredAt } = stored
  const payload = {
    intentId,
    operatorId,
    deviceId,
    propertyId,
    resourceId,
    clockSuspect,
    intentName: name,
    verdict: verdict.verdict,
    code: codeOf(finding),
    occurredAt: occurredAt && toIsoDateTime(occurredAt),
  }
  const event = context.registry.build(intentDecided.subject, payload, context.cause)
  const activity = activityOf(found, context)
  return { verdict, propertyId, decidedAt: context.decidedAt, activity, event }
}

const codeOf = ({ verdict }: Finding): ProblemCode | null =>
  verdict.verdict === 'rejected' ? verdict.code : null

/**
 * The ledger has the time of arrival, whatever the clock of the device shows: that of the attempt
 * that was decided, because the id, which is made now, decides about the partition.
 */
function activityOf({ stored, finding }: Found, { operator, deviceClock }: Sender): Activity {
  const { tenantId, operatorId, deviceId, name, resourceId } = stored
  const kind = findIntentKind(name)
  const isDone = finding.verdict.verdict === 'applied' || finding.verdict.verdict === 'already_done'
  return {
    tenantId,
    operatorId,
    deviceId,
    resourceId,
    sessionId: operator.sessionId,
    propertyId: finding.propertyId ?? onlyPropertyOf(operator),
    occurredAt: deviceClock.receivedAt,
    category: kind?.activity.category ?? 'offline',
    action: `offline.${name}`,
    resourceKind: kind?.activity.resourceKind ?? null,
    outcome: isDone ? 'success' : 'failure',
    latencyMs: 0,
    errorCode: codeOf(finding) ?? (isDone ? null : 'MELMASTOON.GENERAL.CONFLICT'),
  }
}
