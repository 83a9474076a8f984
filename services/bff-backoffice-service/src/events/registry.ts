import { createRegistry } from '@melmastoon/events'
import { deviceStatusChanged, syncCursorAdvanced, syncHandshakeCompleted } from './device-events.ts'
import { alertAcknowledged, suggestionDecided } from './inbox-events.ts'
import { intentDecided } from './intent-events.ts'
import { lockActionRequested, lockActionSettled } from './lock-events.ts'
import { preferencesUpdated } from './preferences-events.ts'
import { sessionClosed, sessionOpened } from './session-events.ts'

/** What operators do with the back office (B11, B17): ids only. */
export const registry = createRegistry([
  sessionOpened,
  sessionClosed,
  alertAcknowledged,
  suggestionDecided,
  preferencesUpdated,
  lockActionRequested,
  lockActionSettled,
  deviceStatusChanged,
  syncHandshakeCompleted,
  syncCursorAdvanced,
  intentDecided,
])
