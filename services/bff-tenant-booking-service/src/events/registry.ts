import { createRegistry } from '@melmastoon/events'
import { handoffConsumed } from '@melmastoon/platform-events'
import { confirmationViewed } from './confirmation-events.ts'
import { draftAbandoned, draftConverted, draftCreated } from './draft-events.ts'
import { flowErrorEncountered, flowStepCompleted } from './flow-events.ts'
import { paymentIntentCreated } from './payment-events.ts'
import { bootstrapServed, currencyChanged, localeChanged } from './session-events.ts'

/** Telemetry and legal records of the booking flow (T11); bookings belong to other services. */
export const registry = createRegistry([
  bootstrapServed,
  handoffConsumed,
  draftCreated,
  draftAbandoned,
  draftConverted,
  paymentIntentCreated,
  confirmationViewed,
  flowStepCompleted,
  flowErrorEncountered,
  localeChanged,
  currencyChanged,
])
