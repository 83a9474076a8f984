import { idPattern, LOCALES } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import { Type } from 'typebox'
import {
  byGuest,
  count,
  deviceClass,
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

const FUNNEL_STEPS = [
  'session.started',
  'search.executed',
  'list.scrolled-50pct',
  'list.scrolled-90pct',
  'map.opened',
  'detail.viewed',
  'wishlist.added',
  'handoff.initiated',
] as const

/**
 * Steps that only a browser can observe. Every other step happens in this service and has a subject
 * of its own, which is that step of the funnel (service overview §4.8): a second event would count
 * it twice.
 */
export const CLIENT_STEPS = ['list.scrolled-50pct', 'list.scrolled-90pct', 'map.opened'] as const

const HOTEL_PAGE = `hotels/${idPattern('ppt').slice(1, -1)}`

const PAGES = [
  'search',
  'search/map',
  HOTEL_PAGE,
  'wishlist',
  'recently-viewed',
  'compare',
  'about',
  'help',
  'privacy',
  'terms',
]

/** The application's own pages, in any of its languages: no other path can carry words in. */
export const PAGE_PATH = `^/(?:(?:${LOCALES.join('|')})(?:/|$))?(?:${PAGES.join('|')})?$`

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

/** Domain model §2.5. Only the host of the referring page is recorded. */
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
    path: Type.String({ pattern: PAGE_PATH }),
    tenantId: Type.Optional(tenantId()),
    propertyId: Type.Optional(propertyId()),
    viewedAt: instant(),
    refererHost: Type.Optional(Type.String({ pattern: '^[a-z0-9.-]{1,253}$' })),
    userAgentHash: hashed(),
    fingerprintHash: hashed(),
  }),
  orderingKey: byGuest,
})

/**
 * The attributes of a step: numbers and enumerations, so that they cannot contain personal data.
 */
export const FunnelMetadata = payload({
  position: Type.Optional(count(10_000)),
  resultCount: Type.Optional(count()),
  elapsedMs: Type.Optional(count(3_600_000)),
  zoom: Type.Optional(count(24)),
  deviceClass: Type.Optional(deviceClass()),
  sortKey: Type.Optional(Type.Enum([...SORT_KEYS])),
})

/** Domain model §2.6. */
export const funnelStepRecorded = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.funnel_step.recorded.v1',
  sampleRate: 1,
  debounceSeconds: 30,
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
