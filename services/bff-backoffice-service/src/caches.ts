import type { Cache } from '@melmastoon/chassis/cache'
import { defineSourceCaches, type SourceCaches } from './boards/board-sources.ts'
import { type BoardCache, defineBoards } from './boards/read-board.ts'
import { type DashboardCache, defineDashboards } from './dashboard/read-dashboard.ts'
import { defineHotelTimes, type HotelTimesCache } from './properties/read-hotel-day.ts'
import { UPSTREAM_MS } from './upstreams/create-upstreams.ts'

/** Composing takes as long as two of its upstreams, one after the other. */
const BOARD_MS = UPSTREAM_MS.reservation + UPSTREAM_MS.billing

/** All caches of the service, with the lifetimes of the key schema. */
export interface Caches extends SourceCaches {
  readonly boards: BoardCache
  readonly dashboards: DashboardCache
  readonly hotelTimes: HotelTimesCache
}

export function defineCaches(cache: Cache): Caches {
  return {
    ...defineSourceCaches(cache, UPSTREAM_MS),
    boards: defineBoards(cache, BOARD_MS),
    dashboards: defineDashboards(cache, BOARD_MS),
    hotelTimes: defineHotelTimes(cache, UPSTREAM_MS.property),
  }
}
