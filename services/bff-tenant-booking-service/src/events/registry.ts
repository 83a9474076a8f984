import { createRegistry } from '@melmastoon/events'
import { handoffConsumed } from '@melmastoon/platform-events'
import { confirmationViewed } from './confirmation-events.ts'
import { draftAbandoned, draftConverted, draftCreated } from './draft-events.ts'
import { flowErrorEncountered, flowStepCompleted } from './flow-events.ts'
import { paymentIntentCreated } from './payment-events.ts'
import { bootstrapServed, currencyChanged, localeChanged } from './session-events.ts'

/** Use of the site: needs consent, and flags may change the sample rate (D13, T14). */
export const OPERATIONAL_EVENTS = [
  bootstrapServed,
  flowStepCompleted,
  flowErrorEncountered,
  localeChanged,
  currencyChanged,
] as const

/** Audit and regulated events: legal records, always written with their effect (D13). */
export const RECORDED_EVENTS = [
  handoffConsumed,
  draftCreated,
  draftAbandoned,
  draftConverted,
  paymentIntentCreated,
  confirmationViewed,
] as const

/** The events of the booking flow (T11); bookings themselves belong to other services. */
export const registry = createRegistry([...OPERATIONAL_EVENTS, ...RECORDED_EVENTS])
