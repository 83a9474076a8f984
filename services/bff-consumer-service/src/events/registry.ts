import { createRegistry } from '@melmastoon/events'
import { botSuspected } from './bot-events.ts'
import { handoffInitiated } from './handoff-events.ts'
import { searchExecuted } from './search-events.ts'
import { currencyChanged, localeChanged, sessionStarted } from './session-events.ts'
import { clickRecorded, detailViewed, funnelStepRecorded, pageViewRecorded } from './view-events.ts'
import { wishlistAdded, wishlistRemoved } from './wishlist-events.ts'

/** Telemetry only (C8): this service does not change the state of a booking. */
export const registry = createRegistry([
  sessionStarted,
  localeChanged,
  currencyChanged,
  searchExecuted,
  clickRecorded,
  detailViewed,
  pageViewRecorded,
  funnelStepRecorded,
  wishlistAdded,
  wishlistRemoved,
  handoffInitiated,
  botSuspected,
])
