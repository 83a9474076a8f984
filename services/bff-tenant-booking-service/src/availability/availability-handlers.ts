import type { Cache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import {
  allocationCommitted,
  allocationConfirmed,
  ratePlanPublished,
} from '@melmastoon/platform-events'
import { nightTags, rateTags } from './availability-caches.ts'

export interface AvailabilityHandlerDeps {
  readonly cache: Pick<Cache, 'invalidate'>
}

/** New prices: the rates of the hotel, and all responses that contain them. */
export function onRatePlanPublished({ cache }: AvailabilityHandlerDeps): EventHandler {
  return on(ratePlanPublished, {
    afterCommit: (payload) => cache.invalidate(rateTags(payload)),
  })
}

/** Rooms were sold: the room counts of overlapping stays, and all responses that contain them. */
export function onAllocationCommitted({ cache }: AvailabilityHandlerDeps): EventHandler {
  return on([allocationCommitted, allocationConfirmed], {
    afterCommit: (payload) => cache.invalidate(nightTags(payload, payload)),
  })
}
