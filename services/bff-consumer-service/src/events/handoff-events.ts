import { idPattern } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  audit,
  byGuest,
  count,
  currency,
  guestSessionId,
  instant,
  locale,
  payload,
  propertyId,
  tenantId,
} from './fields.ts'

/** Contains the id of the signing key, never the token: it authorizes a booking. */
export const handoffInitiated = defineEvent({
  ...audit,
  subject: 'melmastoon.bff.consumer.handoff.initiated.v1',
  piiAllowed: ['guestSessionId', 'handoffId', 'hmacKeyId', 'mintedAt', 'expiresAt'],
  payload: payload({
    handoffId: Type.String({ pattern: idPattern('bhd') }),
    guestSessionId: guestSessionId(),
    tenantId: tenantId(),
    propertyId: propertyId(),
    checkIn: Type.String({ format: 'date' }),
    checkOut: Type.String({ format: 'date' }),
    adults: count(30),
    children: count(20),
    rooms: count(10),
    currency: currency(),
    locale: locale(),
    hmacKeyId: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    mintedAt: instant(),
    expiresAt: instant(),
  }),
  orderingKey: byGuest,
})
