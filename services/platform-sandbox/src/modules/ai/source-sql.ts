import { type Statement, sql } from '@melmastoon/chassis/db'
import type { SourceRoomType } from './facts.ts'

export interface SourceRow {
  readonly tenant_id: string
  readonly property_id: string
  readonly time_zone: string
  readonly room_types: readonly SourceRoomType[]
}

/** In the order of their ids, after a given one, so that a run can be continued. */
export function selectSources(after: string, rows: number): Statement<SourceRow> {
  return sql<SourceRow>`
    select tenant_id, property_id, time_zone, room_types from sandbox.ai_source
    where property_id > ${after}::uuid order by property_id limit ${rows}`
}

export function selectSource(tenant: string, property: string): Statement<SourceRow> {
  return sql<SourceRow>`
    select tenant_id, property_id, time_zone, room_types from sandbox.ai_source
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid`
}

export function insertSources(sources: readonly SourceRow[]): Statement<unknown> {
  return sql`
    insert into sandbox.ai_source (tenant_id, property_id, time_zone, room_types)
    select n.* from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as n (tenant_id uuid,
      property_id uuid, time_zone text, room_types jsonb)
    on conflict do nothing`
}
