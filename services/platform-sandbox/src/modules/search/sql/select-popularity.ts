import { sql } from '@melmastoon/chassis/db'
import { type ChangeWindow, withinWindow } from './change-window.ts'

export interface ChangedPopularity {
  property_id: string
  base_score: number
  base_viewed_last_1h: number
  base_booked_last_24h: number
  viewed_1h: number
  viewed_7d: number
  booked_24h: number
  faded_at: Date
  updated_seq: number
}

export function selectPopularity(window: ChangeWindow) {
  return sql<ChangedPopularity>`
    select property_id, base_score, base_viewed_last_1h, base_booked_last_24h,
      viewed_1h, viewed_7d, booked_24h, faded_at, updated_seq
    from sandbox.search_popularity ${withinWindow(window)}`
}
