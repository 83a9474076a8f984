import { createDatabase, type Database } from '@melmastoon/chassis/db'
import { newId, type TenantId } from '@melmastoon/domain'
import type { TestEnvironment } from '@melmastoon/testkit'
import type { Activity } from '../../src/activity/activity.ts'

export function activityOf(tenantId: TenantId, more: Partial<Activity> = {}): Activity {
  return {
    tenantId,
    propertyId: newId('ppt'),
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    sessionId: newId('bos'),
    occurredAt: new Date(),
    category: 'desk',
    action: 'reservation.check_in',
    resourceKind: 'reservation',
    resourceId: newId('rsv'),
    outcome: 'success',
    latencyMs: 12,
    errorCode: null,
    ...more,
  }
}

type Role = 'app' | 'relay' | 'ledger' | 'owner'

/** A connection as one of the roles of the service. */
export function openAs({ adminUrl, schema }: TestEnvironment, role: Role): Database {
  const url = new URL(adminUrl)
  url.username = `${schema}_${role}`
  return createDatabase({ url: url.href, poolMax: 2, onError: () => undefined })
}

export const partitionOf = (day: Date): string =>
  `operator_activity_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
