import { createRegistry } from '@melmastoon/events'
import {
  listingIndexed,
  propertyUpdated,
  ratePlanPublished,
  themePublished,
} from './catalogue-events.ts'
import { deviceRegistered, sessionRevoked } from './identity-events.ts'
import {
  lockCredentialExtended,
  lockCredentialFailed,
  lockCredentialIssued,
  lockCredentialRequested,
  lockCredentialRevoked,
} from './lock-events.ts'
import {
  paymentAuthorized,
  paymentCaptured,
  paymentFailed,
  paymentRefunded,
} from './payment-events.ts'
import {
  allocationCommitted,
  allocationConfirmed,
  allocationReleased,
  allocationRequested,
  capacityChanged,
  reservationCancelled,
  reservationConfirmed,
  reservationHeld,
  reservationHoldExpired,
} from './stay-events.ts'
import {
  operatorRoleChanged,
  tenantConfigUpdated,
  tenantReactivated,
  tenantSuspended,
} from './tenant-events.ts'

/** The events that the platform's own services publish. */
export const PLATFORM_EVENTS = [
  tenantSuspended,
  tenantReactivated,
  tenantConfigUpdated,
  themePublished,
  propertyUpdated,
  listingIndexed,
  ratePlanPublished,
  allocationRequested,
  allocationCommitted,
  allocationReleased,
  capacityChanged,
  reservationHeld,
  reservationHoldExpired,
  reservationConfirmed,
  reservationCancelled,
  paymentAuthorized,
  paymentCaptured,
  paymentFailed,
  paymentRefunded,
  sessionRevoked,
  deviceRegistered,
  operatorRoleChanged,
  lockCredentialRequested,
  lockCredentialIssued,
  lockCredentialFailed,
  lockCredentialRevoked,
  lockCredentialExtended,
] as const

export const platformRegistry = createRegistry(PLATFORM_EVENTS)

/** Published by the booking service, hence not part of the platform's own registry. */
export { handoffConsumed } from './booking-events.ts'
export {
  allocationCommitted,
  allocationConfirmed,
  allocationReleased,
  allocationRequested,
  capacityChanged,
  deviceRegistered,
  listingIndexed,
  lockCredentialExtended,
  lockCredentialFailed,
  lockCredentialIssued,
  lockCredentialRequested,
  lockCredentialRevoked,
  operatorRoleChanged,
  paymentAuthorized,
  paymentCaptured,
  paymentFailed,
  paymentRefunded,
  propertyUpdated,
  ratePlanPublished,
  reservationCancelled,
  reservationConfirmed,
  reservationHeld,
  reservationHoldExpired,
  sessionRevoked,
  tenantConfigUpdated,
  tenantReactivated,
  tenantSuspended,
  themePublished,
}
