import { idPattern, type TenantId } from '@melmastoon/domain'
import { createRegistry, defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'

const tenantId = () => Type.Unsafe<TenantId>(Type.String({ pattern: idPattern('tnt') }))
const noteId = () => Type.String({ minLength: 1, maxLength: 64 })
const instant = () => Type.String({ format: 'date-time' })

/** The text of a note is a guest's own words, so only its length travels. */
export const notePlaced = defineEvent({
  subject: 'melmastoon.example.note.placed.v1',
  version: 1,
  producer: 'example-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
  piiAllowed: ['noteId', 'lengthChars', 'placedAt'],
  payload: Type.Object(
    {
      tenantId: tenantId(),
      noteId: noteId(),
      lengthChars: Type.Integer({ minimum: 0 }),
      placedAt: instant(),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.noteId,
})

export const noteReserved = defineEvent({
  subject: 'melmastoon.example.note.reserved.v1',
  version: 1,
  producer: 'example-service',
  retentionClass: 'audit',
  retentionDays: 365,
  sampleRate: 1,
  piiAllowed: ['noteId', 'reservationRef', 'reservedAt'],
  payload: Type.Object(
    {
      tenantId: tenantId(),
      noteId: noteId(),
      reservationRef: Type.String({ minLength: 1, maxLength: 128 }),
      reservedAt: instant(),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.noteId,
})

/** Telemetry: it needs no transaction with an effect and belongs to no tenant. */
export const sessionStarted = defineEvent({
  subject: 'melmastoon.example.session.started.v1',
  version: 1,
  producer: 'example-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
  piiAllowed: ['sessionId', 'locale', 'startedAt'],
  payload: Type.Object(
    {
      sessionId: Type.String({ pattern: idPattern('gms') }),
      locale: Type.String({ minLength: 2, maxLength: 35 }),
      startedAt: instant(),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.sessionId,
})

/** Events of the example service, which exercises the shared code in tests and benchmarks. */
export const EXAMPLE_EVENTS = [notePlaced, noteReserved, sessionStarted] as const

export const registry = createRegistry(EXAMPLE_EVENTS)
