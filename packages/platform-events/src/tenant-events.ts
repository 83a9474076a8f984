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

/** Roles, properties or status of an operator changed; receivers read the operator again. */
export const operatorRoleChanged = defineEvent({
  ...tenantEvent,
  retentionClass: 'audit',
  retentionDays: 365,
  subject: 'melmastoon.tenant.operator.role_changed.v1',
  piiAllowed: ['operatorId', 'status', 'version', 'causationId'],
  payload: closed({
    tenantId: id('tnt'),
    operatorId: id('opr'),
    status: code(),
    version: version(),
    occurredAt: instant(),
    causationId: Type.Union([Type.String({ minLength: 16, maxLength: 255 }), Type.Null()]),
  }),
  orderingKey: (payload) => payload.operatorId,
})
