import { idPattern, type TenantId } from '@melmastoon/domain'
import { createRegistry, defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'

const tenantId = () => Type.Unsafe<TenantId>(Type.String({ pattern: idPattern('tnt') }))
const noteId = () => Type.String({ minLength: 1, maxLength: 64 })
const shared = {
  version: 1,
  producer: 'outbox-test',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
} as const

/** `lengthChars` counts the events of a key, so that their order can be checked. */
export const notePlaced = defineEvent({
  ...shared,
  subject: 'melmastoon.example.note.placed.v1',
  piiAllowed: ['noteId', 'lengthChars', 'placedAt'],
  payload: Type.Object(
    {
      tenantId: tenantId(),
      noteId: noteId(),
      lengthChars: Type.Integer({ minimum: 0 }),
      placedAt: Type.String({ format: 'date-time' }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.noteId,
})

export const noteReserved = defineEvent({
  ...shared,
  subject: 'melmastoon.example.note.reserved.v1',
  piiAllowed: ['noteId', 'reservationRef', 'reservedAt'],
  payload: Type.Object(
    {
      tenantId: tenantId(),
      noteId: noteId(),
      reservationRef: Type.String({ minLength: 1, maxLength: 128 }),
      reservedAt: Type.String({ format: 'date-time' }),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.noteId,
})

export const registry = createRegistry([notePlaced, noteReserved])
