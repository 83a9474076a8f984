import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { closed, code, id, instant, slug, version } from './fields.ts'

const tenantEvent = {
  version: 1,
  producer: 'tenant-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
} as const

export const tenantSuspended = defineEvent({
  ...tenantEvent,
  subject: 'melmastoon.tenant.suspended.v1',
  piiAllowed: ['slug', 'reasonCode', 'suspendedAt'],
  payload: closed({
    tenantId: id('tnt'),
    slug: slug(),
    reasonCode: code(),
    suspendedAt: instant(),
  }),
  orderingKey: (payload) => payload.tenantId,
})

export const tenantReactivated = defineEvent({
  ...tenantEvent,
  subject: 'melmastoon.tenant.reactivated.v1',
  piiAllowed: ['slug', 'reactivatedAt'],
  payload: closed({ tenantId: id('tnt'), slug: slug(), reactivatedAt: instant() }),
  orderingKey: (payload) => payload.tenantId,
})

export const tenantConfigUpdated = defineEvent({
  ...tenantEvent,
  retentionDays: 30,
  subject: 'melmastoon.tenant.config_updated.v1',
  piiAllowed: ['slug', 'configVersion', 'changed', 'updatedAt'],
  payload: closed({
    tenantId: id('tnt'),
    slug: slug(),
    configVersion: version(),
    changed: Type.Array(code(), { maxItems: 40 }),
    updatedAt: instant(),
  }),
  orderingKey: (payload) => payload.tenantId,
})
