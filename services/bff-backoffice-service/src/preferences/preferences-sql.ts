import { type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { idToUuid, type OperatorId, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { PreferencesContent } from './preferences.ts'

export interface PreferencesKey {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly propertyId: PropertyId
}

export function selectPreferences({
  operatorId,
  propertyId,
}: PreferencesKey): Statement<PreferencesContent> {
  return sql<PreferencesContent>`select payload, version from operator_preferences
    where operator_id = ${operatorId} and property_id = ${idToUuid(propertyId)}::uuid`
}

/** The mirror never goes back to an older version. The event is written once per version. */
export function mirrorPreferences(
  { tenantId, operatorId, propertyId }: PreferencesKey,
  { payload, version }: PreferencesContent,
  event: OutboxEvent,
): Statement<unknown> {
  return sql`with mirrored as (
      insert into operator_preferences as p (tenant_id, operator_id, property_id, payload, version)
      values (${idToUuid(tenantId)}::uuid, ${operatorId}, ${idToUuid(propertyId)}::uuid,
        ${JSON.stringify(payload)}::jsonb, ${version}::int)
      on conflict (tenant_id, operator_id,
        coalesce(property_id, '00000000-0000-0000-0000-000000000000'::uuid))
      do update set payload = excluded.payload, version = excluded.version, updated_at = now()
      where p.version < excluded.version
      returning 1),
    events as (${appendEventsFragment([event], { onlyIf: sql`exists (select from mirrored)` })})
    select 1 from mirrored`
}
