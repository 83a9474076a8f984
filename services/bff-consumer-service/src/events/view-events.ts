import { idPattern } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import { Type } from 'typebox'
import {
  byGuest,
  count,
  guestSessionId,
  hashed,
  instant,
  payload,
  propertyId,
  searchSessionId,
  telemetry,
  tenantId,
} from './fields.ts'

export const VIEW_SOURCES = ['search-list', 'search-map', 'detail-link', 'wishlist'] as const

export const FUNNEL_STEPS = [
  'session.started',
  'search.executed',
  'list.scrolled-50pct',
  'list.scrolled-90pct',
  'map.opened',
  'detail.viewed',
  'wishlist.added',
  'handoff.initiated',
] as const

const Seen = {
  guestSessionId: guestSessionId(),
  searchSessionId: Type.Optional(searchSessionId()),
  propertyId: propertyId(),
  tenantId: tenantId(),
  source: Type.Enum([...VIEW_SOURCES]),
}

/** A listing was chosen out of a result. */
export const clickRecorded = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.click.recorded.v1',
  sampleRate: 1,
  piiAllowed: ['guestSessionId', 'searchSessionId', 'position', 'clickedAt'],
  payload: payload({ ...Seen, position: count(10_000), clickedAt: instant() }),
  orderingKey: byGuest,
})

export const detailViewed = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.detail.viewed.v1',
  sampleRate: 0.5,
  debounceSeconds: 300,
  piiAllowed: ['guestSessionId', 'searchSessionId'],
  payload: payload({ ...Seen, viewedAt: instant() }),
  orderingKey: byGuest,
})

/** Domain model §2.5. Of the referring page no more than its host is kept. */
export const pageViewRecorded = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.page_view.recorded.v1',
  sampleRate: 0.5,
  piiAllowed: [
    'pageViewId',
    'guestSessionId',
    'searchSessionId',
    'path',
    'refererHost',
    'userAgentHash',
    'fingerprintHash',
  ],
  payload: payload({
    pageViewId: Type.String({ pattern: idPattern('mpv') }),
    guestSessionId: guestSessionId(),
    searchSessionId: Type.Optional(searchSessionId()),
    /** One of the application's own, without query and fragment. */
    path: Type.String({ pattern: '^/[A-Za-z0-9/_-]{0,199}$' }),
    tenantId: Type.Optional(tenantId()),
    propertyId: Type.Optional(propertyId()),
    viewedAt: instant(),
    refererHost: Type.Optional(Type.String({ pattern: '^[a-z0-9.-]{1,253}$' })),
    userAgentHash: hashed(),
    fingerprintHash: hashed(),
  }),
  orderingKey: byGuest,
})

/** What a step may be told with: numbers and choices, so that nothing personal fits in. */
export const FunnelMetadata = payload({
  position: Type.Optional(count(10_000)),
  resultCount: Type.Optional(count()),
  elapsedMs: Type.Optional(count(3_600_000)),
  zoom: Type.Optional(count(24)),
  deviceClass: Type.Optional(Type.Enum(['phone', 'tablet', 'desktop'])),
  sortKey: Type.Optional(Type.Enum([...SORT_KEYS])),
})

/** Domain model §2.6. */
export const funnelStepRecorded = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.funnel_step.recorded.v1',
  sampleRate: 1,
  piiAllowed: [
    'funnelEventId',
    'guestSessionId',
    'searchSessionId',
    'step',
    'metadata',
    'position',
    'resultCount',
    'zoom',
    'sortKey',
  ],
  payload: payload({
    funnelEventId: Type.String({ pattern: idPattern('cfe') }),
    guestSessionId: guestSessionId(),
    searchSessionId: Type.Optional(searchSessionId()),
    step: Type.Enum([...FUNNEL_STEPS]),
    tenantId: Type.Optional(tenantId()),
    propertyId: Type.Optional(propertyId()),
    occurredAt: instant(),
    metadata: Type.Optional(FunnelMetadata),
  }),
  orderingKey: byGuest,
})
