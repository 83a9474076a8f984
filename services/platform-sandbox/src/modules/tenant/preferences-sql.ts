import { type Statement, sql } from '@melmastoon/chassis/db'

export interface PreferencesRow {
  version: number
  payload: Record<string, unknown>
  changed_by: string
  causation_id: string | null
  at: Date
}

/** Of one operator at one property. */
export interface PreferencesKey {
  readonly tenant: string
  readonly operator: string
  readonly property: string
}

/** The newest version first. */
export function selectPreferences(key: PreferencesKey, rows: number): Statement<PreferencesRow> {
  return sql<PreferencesRow>`
    select version, payload, changed_by, causation_id, at
    from sandbox.tenant_operator_preferences
    where tenant_id = ${key.tenant}::uuid and operator_id = ${key.operator}::uuid
      and property_id = ${key.property}::uuid
    order by version desc limit ${rows}`
}

export interface NewPreferences {
  readonly version: number
  readonly payload: Record<string, unknown>
  readonly changedBy: string
  readonly causationId: string | null
}

/** No row when this version exists: a concurrent change was first. */
export function insertPreferences(
  key: PreferencesKey,
  { version, payload, changedBy, causationId }: NewPreferences,
): Statement<{ version: number }> {
  return sql<{ version: number }>`
    insert into sandbox.tenant_operator_preferences
      (tenant_id, operator_id, property_id, version, payload, changed_by, causation_id)
    values (${key.tenant}::uuid, ${key.operator}::uuid, ${key.property}::uuid, ${version},
      ${payload}::jsonb, ${changedBy}::uuid, ${causationId})
    on conflict do nothing
    returning version`
}
