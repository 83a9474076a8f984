import { defineEvent } from '@melmastoon/events'
import {
  cacheState,
  deviceClass,
  id,
  instant,
  locale,
  milliseconds,
  payload,
  regulatedSevenYears,
} from './fields.ts'

/**
 * The confirmation was shown: once per reservation and session in 24 hours. It is evidence of the
 * booking like its conversion, and therefore regulated (D15).
 */
export const confirmationViewed = defineEvent({
  ...regulatedSevenYears,
  subject: 'melmastoon.bff.tenant.confirmation.viewed.v1',
  debounceSeconds: 86_400,
  piiAllowed: ['elapsedFromConfirmMs'],
  payload: payload({
    tenantId: id('tnt'),
    reservationId: id('rsv'),
    sessionId: id('tnt_session'),
    viewedAt: instant(),
    elapsedFromConfirmMs: milliseconds(),
    deviceClass: deviceClass(),
    locale: locale(),
    cache: cacheState(),
  }),
  orderingKey: ({ reservationId }) => reservationId,
})
