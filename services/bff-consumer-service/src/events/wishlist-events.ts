import { idPattern } from '@melmastoon/domain'
import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import {
  byGuest,
  count,
  guestSessionId,
  instant,
  payload,
  propertyId,
  telemetry,
  tenantId,
} from './fields.ts'

export const WISHLIST_SOURCES = ['detail', 'list', 'map', 'recently-viewed'] as const

const Entry = {
  guestSessionId: guestSessionId(),
  wishlistId: Type.String({ pattern: idPattern('wsh') }),
  propertyId: propertyId(),
  tenantId: tenantId(),
  /** How many there are now. */
  wishlistSize: count(100),
}

/** The guest's note is not part of the event. */
export const wishlistAdded = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.wishlist.added.v1',
  sampleRate: 1,
  piiAllowed: ['guestSessionId', 'wishlistId', 'wishlistSize', 'hasNote', 'addedAt'],
  payload: payload({
    ...Entry,
    source: Type.Enum([...WISHLIST_SOURCES]),
    hasNote: Type.Boolean(),
    addedAt: instant(),
  }),
  orderingKey: byGuest,
})

export const wishlistRemoved = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.wishlist.removed.v1',
  sampleRate: 1,
  piiAllowed: ['guestSessionId', 'wishlistId', 'wishlistSize', 'removedAt'],
  payload: payload({ ...Entry, removedAt: instant() }),
  orderingKey: byGuest,
})
