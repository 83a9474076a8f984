import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { closed, code, id, instant, version } from './fields.ts'

const common = {
  version: 1,
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
} as const

export const themePublished = defineEvent({
  ...common,
  producer: 'theme-config-service',
  subject: 'melmastoon.theme.published.v1',
  piiAllowed: ['themeId', 'themeVersion', 'previousVersion', 'publishedAt'],
  payload: closed({
    tenantId: id('tnt'),
    themeId: id('thm'),
    themeVersion: version(),
    previousVersion: Type.Union([version(), Type.Null()]),
    publishedAt: instant(),
  }),
  orderingKey: (payload) => payload.tenantId,
})

export const propertyUpdated = defineEvent({
  ...common,
  producer: 'property-service',
  subject: 'melmastoon.property.updated.v1',
  piiAllowed: ['propertyId', 'propertyVersion', 'updatedAt'],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    propertyVersion: version(),
    updatedAt: instant(),
  }),
  orderingKey: (payload) => payload.propertyId,
})

export const listingIndexed = defineEvent({
  ...common,
  producer: 'search-aggregation-service',
  subject: 'melmastoon.search_aggregation.listing.indexed.v1',
  piiAllowed: ['propertyId', 'listingVersion', 'reason', 'indexedAt'],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    listingVersion: version(),
    reason: code(),
    indexedAt: instant(),
  }),
  orderingKey: (payload) => payload.propertyId,
})

export const ratePlanPublished = defineEvent({
  ...common,
  producer: 'pricing-service',
  subject: 'melmastoon.pricing.rate_plan.published.v1',
  piiAllowed: ['propertyId', 'ratePlanId', 'code', 'ratePlanVersion', 'publishedAt'],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    ratePlanId: id('rate'),
    code: Type.String({ minLength: 1, maxLength: 20 }),
    ratePlanVersion: version(),
    publishedAt: instant(),
  }),
  orderingKey: (payload) => payload.ratePlanId,
})
