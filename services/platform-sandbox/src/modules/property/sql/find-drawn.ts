import { type Statement, sql } from '@melmastoon/chassis/db'
import type { Scenery } from '../../../world/city.ts'

export interface SceneRow {
  readonly scenery: Scenery
  readonly photo_count: number
  readonly room_types: number
}

/** What a photo of the house needs to know. */
export function findScene(property: string): Statement<SceneRow> {
  return sql<SceneRow>`
    select h.scenery, h.photo_count, (
      select count(*)::int from sandbox.property_room_type t where t.property_id = h.property_id
    ) as room_types
    from sandbox.property_house h where h.property_id = ${property}::uuid`
}

export interface MarkRow {
  readonly hue: number
  readonly letter: string
}

export function findMark(tenant: string): Statement<MarkRow> {
  return sql<MarkRow>`
    select hue, letter from sandbox.property_mark where tenant_id = ${tenant}::uuid`
}
