import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  byGuest,
  currency,
  deviceClass,
  guestSessionId,
  hashed,
  instant,
  locale,
  payload,
  telemetry,
} from './fields.ts'

/** The campaign is in the attribution of the envelope. */
export const sessionStarted = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.session.started.v1',
  sampleRate: 1,
  piiAllowed: [
    'guestSessionId',
    'ipHash',
    'userAgentHash',
    'fingerprintHash',
    'consentMarketing',
    'startedAt',
  ],
  payload: payload({
    guestSessionId: guestSessionId(),
    locale: locale(),
    currency: currency(),
    ipHash: hashed(),
    userAgentHash: hashed(),
    fingerprintHash: hashed(),
    /** Only if the client sent its screen size. */
    deviceClass: Type.Optional(deviceClass()),
    consentMarketing: Type.Boolean(),
    startedAt: instant(),
  }),
  orderingKey: byGuest,
})

export const localeChanged = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.locale.changed.v1',
  sampleRate: 1,
  piiAllowed: ['guestSessionId', 'previousLocale'],
  payload: payload({
    guestSessionId: guestSessionId(),
    previousLocale: locale(),
    locale: locale(),
    changedAt: instant(),
  }),
  orderingKey: byGuest,
})

export const currencyChanged = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.currency.changed.v1',
  sampleRate: 1,
  piiAllowed: ['guestSessionId', 'previousCurrency'],
  payload: payload({
    guestSessionId: guestSessionId(),
    previousCurrency: currency(),
    currency: currency(),
    changedAt: instant(),
  }),
  orderingKey: byGuest,
})
