import { sql } from '@melmastoon/chassis/db'
import { CHANGES_TOPIC, type ChangedRow, type ChangeWindow, withinWindow } from './change-sql.ts'

export interface ChangedTenant extends ChangedRow {
  tenant_id: string
  is_suspended: boolean
}

export function selectTenants(window: ChangeWindow) {
  return sql<ChangedTenant>`
    select tenant_id, is_suspended, tenant_id as row_key, updated_seq
    from sandbox.search_tenant ${withinWindow(window, 'tenant_id')}`
}

/** No row when a newer status is already stored. */
export function upsertTenant(tenantUuid: string, isSuspended: boolean, since: string) {
  return sql<{ is_suspended: boolean }>`
    insert into sandbox.search_tenant as known (tenant_id, is_suspended, since)
    values (${tenantUuid}::uuid, ${isSuspended}::boolean, ${since}::timestamptz)
    on conflict (tenant_id) do update
      set is_suspended = excluded.is_suspended, since = excluded.since
      where known.since <= excluded.since
    returning is_suspended`.announcing(CHANGES_TOPIC)
}
