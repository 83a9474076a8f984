import { type Statement, sql } from '@melmastoon/chassis/db'

export interface CursorRow {
  readonly tenant_id: string
  readonly device_id: string
  readonly pull_cursor: string | null
  readonly push_ack: string | null
  readonly version: number
  readonly updated_at: Date
}

export interface CursorRef {
  readonly tenant: string
  readonly device: string
}

export function selectCursor({ tenant, device }: CursorRef): Statement<CursorRow> {
  return sql<CursorRow>`
    select tenant_id, device_id, pull_cursor, push_ack, version, updated_at
    from sandbox.sync_cursor where tenant_id = ${tenant}::uuid and device_id = ${device}::uuid`
}

export interface CursorAdvance extends CursorRef {
  readonly expectedVersion: number
  /** Null: unchanged. */
  readonly pullCursor: string | null
  readonly pushAck: string | null
  readonly operator: string
  readonly causationId: string | null
}

/** No row when the device has a cursor already. */
export function insertCursor(advance: CursorAdvance): Statement<CursorRow> {
  return sql<CursorRow>`
    insert into sandbox.sync_cursor (tenant_id, device_id, pull_cursor, push_ack, operator_id,
      causation_id)
    values (${advance.tenant}::uuid, ${advance.device}::uuid, ${advance.pullCursor},
      ${advance.pushAck}, ${advance.operator}::uuid, ${advance.causationId})
    on conflict (tenant_id, device_id) do nothing
    returning tenant_id, device_id, pull_cursor, push_ack, version, updated_at`
}

/** No row when the cursor has another version. */
export function updateCursor(advance: CursorAdvance): Statement<CursorRow> {
  return sql<CursorRow>`
    update sandbox.sync_cursor set
      pull_cursor = coalesce(${advance.pullCursor}, pull_cursor),
      push_ack = coalesce(${advance.pushAck}, push_ack),
      operator_id = ${advance.operator}::uuid, causation_id = ${advance.causationId},
      version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${advance.tenant}::uuid and device_id = ${advance.device}::uuid
      and version = ${advance.expectedVersion}
    returning tenant_id, device_id, pull_cursor, push_ack, version, updated_at`
}

export function deleteCursor({ tenant, device }: CursorRef): Statement<{ device_id: string }> {
  return sql<{ device_id: string }>`
    delete from sandbox.sync_cursor
    where tenant_id = ${tenant}::uuid and device_id = ${device}::uuid returning device_id`
}

/** Of all tenants, the most recently changed first, for the control room. */
export function selectRecentCursors(rows: number): Statement<CursorRow> {
  return sql<CursorRow>`
    select tenant_id, device_id, pull_cursor, push_ack, version, updated_at
    from sandbox.sync_cursor order by updated_at desc limit ${rows}`
}
