import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  bySession,
  cacheState,
  currency,
  id,
  instant,
  locale,
  milliseconds,
  nullable,
  operational,
  payload,
  shortName,
} from './fields.ts'

const ofSession = { tenantId: id('tnt'), sessionId: id('tnt_session') }

/** The site was loaded: at most once per session in five minutes. */
export const bootstrapServed = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.tenant.bootstrap.served.v1',
  sampleRate: 1,
  debounceSeconds: 300,
  piiAllowed: [
    'themeVersion',
    'tenantConfigVersion',
    'fanoutLatencyMs',
    'tenant',
    'theme',
    'policies',
  ],
  payload: payload({
    tenantId: id('tnt'),
    tenantSlug: Type.String({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$' }),
    sessionId: id('tnt_session'),
    locale: locale(),
    currency: currency(),
    themeVersion: nullable(shortName()),
    tenantConfigVersion: shortName(),
    /** Null for an upstream that was not called. */
    fanoutLatencyMs: payload({
      tenant: nullable(milliseconds()),
      theme: nullable(milliseconds()),
      policies: nullable(milliseconds()),
    }),
    cache: cacheState(),
    handoffArrivalId: nullable(id('bha')),
  }),
  orderingKey: bySession,
})

export const localeChanged = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.tenant.locale.changed.v1',
  sampleRate: 1,
  piiAllowed: ['from', 'to', 'isRtlChange'],
  payload: payload({
    ...ofSession,
    from: locale(),
    to: locale(),
    /** Whether the direction of the text changes. */
    isRtlChange: Type.Boolean(),
    changedAt: instant(),
  }),
  orderingKey: bySession,
})

export const currencyChanged = defineEvent({
  ...operational,
  subject: 'melmastoon.bff.tenant.currency.changed.v1',
  sampleRate: 1,
  piiAllowed: ['from', 'to'],
  payload: payload({
    ...ofSession,
    from: currency(),
    to: currency(),
    draftId: nullable(id('bdr')),
    changedAt: instant(),
  }),
  orderingKey: bySession,
})
