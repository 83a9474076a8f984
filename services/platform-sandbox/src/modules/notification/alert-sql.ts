import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { AlertRow } from './alert.ts'

/** The columns of an `AlertRow`; the table alias is `a`. */
const alertColumns = rawSql(`
  a.tenant_id, a.alert_id, a.property_id, a.category, a.severity, a.title, a.audience,
  a.resource_kind, a.resource_id, a.state, a.raised_at, a.raised_by, a.causation_id, a.version,
  a.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('operator_id', k.operator_id, 'note', k.note,
      'causation_id', k.causation_id, 'version', k.version, 'at', k.at) order by k.version)
    from sandbox.notification_acknowledgement k
    where k.tenant_id = a.tenant_id and k.alert_id = a.alert_id), '[]') as acknowledgements`)

export interface AlertRef {
  readonly tenant: string
  readonly alert: string
}

export function selectAlert({ tenant, alert }: AlertRef): Statement<AlertRow> {
  return sql<AlertRow>`
    select ${alertColumns} from sandbox.notification_alert a
    where a.tenant_id = ${tenant}::uuid and a.alert_id = ${alert}::uuid`
}

/** Acknowledgements of one alert are serialized; it is read by a separate statement afterwards. */
export function lockAlert({ tenant, alert }: AlertRef): Statement<{ alert_id: string }> {
  return sql<{ alert_id: string }>`
    select alert_id from sandbox.notification_alert
    where tenant_id = ${tenant}::uuid and alert_id = ${alert}::uuid for update`
}

export interface AlertPage {
  readonly tenant: string
  readonly property: string
  readonly state: string | null
  /** Whose acknowledgement decides the state; null: that of any operator. */
  readonly operator: string | null
  readonly role: string | null
  /** The last alert of the page before. */
  readonly after: string | null
  readonly rows: number
}

export function selectAlerts(page: AlertPage): Statement<AlertRow> {
  return sql<AlertRow>`
    select ${alertColumns} from sandbox.notification_alert a
    where a.tenant_id = ${page.tenant}::uuid and a.property_id = ${page.property}::uuid
      and (${page.role}::text is null or ${page.role} = any(a.audience))
      and (${page.state}::text is null or ${page.state} = case
        when ${page.operator}::uuid is null then a.state
        when exists (select from sandbox.notification_acknowledgement k
          where k.tenant_id = a.tenant_id and k.alert_id = a.alert_id
            and k.operator_id = ${page.operator}::uuid) then 'acknowledged'
        else 'open' end)
      and (${page.after}::uuid is null or (a.raised_at, a.alert_id) < (
        select b.raised_at, b.alert_id from sandbox.notification_alert b
        where b.tenant_id = ${page.tenant}::uuid and b.alert_id = ${page.after}::uuid))
    order by a.raised_at desc, a.alert_id desc limit ${page.rows}`
}

/** Of all tenants, newest first, for the control room. */
export function selectRecentAlerts(rows: number): Statement<AlertRow> {
  return sql<AlertRow>`
    select ${alertColumns} from sandbox.notification_alert a
    order by a.raised_at desc, a.alert_id desc limit ${rows}`
}

export interface NewAlert {
  readonly tenant_id: string
  readonly alert_id: string
  readonly property_id: string
  readonly category: string
  readonly severity: string
  readonly title: AlertRow['title']
  readonly audience: readonly string[]
  readonly resource_kind: string
  readonly resource_id: string
  readonly deduplication_key: string | null
  readonly raised_by: string | null
  readonly causation_id: string | null
  /** Null: now. */
  readonly raised_at: string | null
}

/** Only those that are new: ids exist once, and deduplication keys once among open alerts. */
export function insertAlerts(alerts: readonly NewAlert[]): Statement<{ alert_id: string }> {
  return sql<{ alert_id: string }>`
    insert into sandbox.notification_alert (tenant_id, alert_id, property_id, category, severity,
      title, audience, resource_kind, resource_id, deduplication_key, raised_by, causation_id,
      raised_at, updated_at)
    select n.tenant_id, n.alert_id, n.property_id, n.category, n.severity, n.title,
      array(select jsonb_array_elements_text(n.audience)), n.resource_kind, n.resource_id,
      n.deduplication_key, n.raised_by, n.causation_id,
      coalesce(n.raised_at, clock_timestamp()), coalesce(n.raised_at, clock_timestamp())
    from jsonb_to_recordset(${JSON.stringify(alerts)}::jsonb) as n (tenant_id uuid, alert_id uuid,
      property_id uuid, category text, severity text, title jsonb, audience jsonb,
      resource_kind text, resource_id text, deduplication_key text, raised_by uuid,
      causation_id text, raised_at timestamptz)
    on conflict do nothing
    returning alert_id`
}

export function selectOpenAlert(
  tenant: string,
  property: string,
  deduplicationKey: string,
): Statement<AlertRow> {
  return sql<AlertRow>`
    select ${alertColumns} from sandbox.notification_alert a
    where a.tenant_id = ${tenant}::uuid and a.property_id = ${property}::uuid
      and a.deduplication_key = ${deduplicationKey} and a.state = 'open'`
}

export interface Acknowledgement extends AlertRef {
  readonly operator: string
  readonly device: string
  readonly note: string | null
  readonly causationId: string | null
}

/** Requires the lock of `lockAlert`. No row when the operator has acknowledged it before. */
export function insertAcknowledgement(ack: Acknowledgement): Statement<{ version: number }> {
  return sql<{ version: number }>`
    with added as (
      insert into sandbox.notification_acknowledgement (tenant_id, alert_id, operator_id, device_id,
        note, causation_id, version)
      select a.tenant_id, a.alert_id, ${ack.operator}::uuid, ${ack.device}::uuid, ${ack.note},
        ${ack.causationId}, a.version + 1
      from sandbox.notification_alert a
      where a.tenant_id = ${ack.tenant}::uuid and a.alert_id = ${ack.alert}::uuid
      on conflict (tenant_id, alert_id, operator_id) do nothing
      returning tenant_id, alert_id, version, at)
    update sandbox.notification_alert a
    set state = 'acknowledged', version = added.version, updated_at = added.at
    from added where a.tenant_id = added.tenant_id and a.alert_id = added.alert_id
    returning a.version`
}
