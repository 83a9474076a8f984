import { defineEvent, MarketingAttribution } from '@melmastoon/events'
import { Type } from 'typebox'
import { closed, id, instant } from './fields.ts'

/**
 * A guest arrived at the hotel's own site with a handoff of the consumer service. `handoffId` is
 * an additional field: it names the handoff to the service that minted it (D4).
 */
export const handoffConsumed = defineEvent({
  subject: 'melmastoon.bff.tenant.handoff.consumed.v1',
  version: 1,
  producer: 'bff-tenant-booking-service',
  retentionClass: 'audit',
  retentionDays: 365,
  sampleRate: 1,
  piiAllowed: ['handoffId', 'mintedAt', 'consumedAt', 'hmacSignatureFingerprint'],
  payload: closed({
    tenantId: id('tnt'),
    handoffId: id('bhd'),
    handoffArrivalId: id('bha'),
    consumerSessionId: id('gms'),
    propertyId: id('ppt'),
    campaign: Type.Union([MarketingAttribution, Type.Null()]),
    mintedAt: instant(),
    consumedAt: instant(),
    elapsedMs: Type.Integer({ minimum: 0 }),
    hmacSignatureFingerprint: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
  }),
  orderingKey: (payload) => payload.handoffArrivalId,
})
