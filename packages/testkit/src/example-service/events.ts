import { idPattern, type TenantId } from '@melmastoon/domain'
import { createRegistry, defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'

const tenantId = Type.Unsafe<TenantId>(Type.String({ pattern: idPattern('tnt') }))
const noteId = Type.String({ minLength: 1, maxLength: 64 })
const reservationRef = Type.String({ minLength: 1, maxLength: 128 })
const lengthChars = Type.Integer({ minimum: 0 })
const instant = Type.String({ format: 'date-time' })
const closed = { additionalProperties: false }
const common = { version: 1, producer: 'example-service', sampleRate: 1 }

/** The text of a note may contain personal data, so only its length is published. */
export const notePlaced = defineEvent({
  ...common,
  subject: 'melmastoon.example.note.placed.v1',
  retentionClass: 'operational',
  retentionDays: 90,
  piiAllowed: ['noteId', 'lengthChars', 'placedAt'],
  payload: Type.Object({ tenantId, noteId, lengthChars, placedAt: instant }, closed),
  orderingKey: (payload) => payload.noteId,
})

export const noteReserved = defineEvent({
  ...common,
  subject: 'melmastoon.example.note.reserved.v1',
  retentionClass: 'audit',
  retentionDays: 365,
  piiAllowed: ['noteId', 'reservationRef', 'reservedAt'],
  payload: Type.Object({ tenantId, noteId, reservationRef, reservedAt: instant }, closed),
  orderingKey: (payload) => payload.noteId,
})

export const EXAMPLE_EVENTS = [notePlaced, noteReserved] as const
export const registry = createRegistry(EXAMPLE_EVENTS)
