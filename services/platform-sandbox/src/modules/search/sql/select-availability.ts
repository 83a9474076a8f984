import { sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import { type ChangeWindow, withinWindow } from './change-window.ts'

export interface ChangedAvailability {
  property_id: string
  first_night: IsoDate
  /** As Postgres writes an array: it is read digit by digit, thousands of them at the start. */
  rooms_left: string
  rooms_total: number
  updated_seq: number
}

export function selectAvailability(window: ChangeWindow) {
  return sql<ChangedAvailability>`
    select property_id, first_night, rooms_left::text as rooms_left, rooms_total, updated_seq
    from sandbox.search_availability ${withinWindow(window)}`
}
