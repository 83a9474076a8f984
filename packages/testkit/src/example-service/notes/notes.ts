import type { Cache } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { Claim, Mutation } from '@melmastoon/chassis/idempotency'
import { on } from '@melmastoon/chassis/inbox'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { Upstream } from '@melmastoon/chassis/upstream'
import { type Id, idToUuid, newId, problem, type TenantId, uuidToId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { Type } from 'typebox'
import { notePlaced, noteReserved, registry } from '../events.ts'
import { PAGE_TAGS } from '../page/page.ts'
import { countNote, findNote, insertNote, markReserved, selectNotes } from './notes-sql.ts'

/** Notes use the prefix of wishlist entries: the registry has none for an example. */
export const NOTE_ID = 'wsh'
export type NoteId = Id<typeof NOTE_ID>
const CREATE = {
  operation: 'example.reservation.create',
  method: 'POST',
  path: '/reservations',
  schema: Type.Object({ reservationRef: Type.String({ minLength: 1 }) }),
} as const

/** The notes of this tenant, newest first. */
export async function listNotes({ db }: { db: Database }, tenantId: TenantId, limit: number) {
  const rows = await db.tenantQuery(tenantId, selectNotes(limit))
  return rows.map(({ id, createdAt, ...note }) => ({
    ...note,
    noteId: uuidToId(NOTE_ID, id),
    createdAt: createdAt.toISOString(),
  }))
}

/** Without an upstream call: effect, event and response are one statement with the claim. */
export function placeNote(tenantId: TenantId, text: string, cause: EventContext): Mutation {
  const noteId = newId(NOTE_ID)
  const placedAt = cause.occurredAt.toISOString()
  const payload = { tenantId, noteId, lengthChars: text.length, placedAt }
  return {
    effect: insertNote({ id: idToUuid(noteId), tenant: idToUuid(tenantId), text }),
    events: [registry.build(notePlaced.subject, payload, cause)],
    response: { status: 201, body: { noteId, text } },
  }
}

type ReserveDeps = { db: Database; upstream: Upstream }
type NoteRef = { tenantId: TenantId; noteId: NoteId }
type Call = { cause: EventContext; deadline: Deadline; trace: TraceContext }

/** With an upstream call: it receives the same derived key in every attempt. */
export async function reserveNote(deps: ReserveDeps, claim: Claim, request: NoteRef & Call) {
  const { tenantId, noteId, cause, ...call } = request
  const id = idToUuid(noteId)
  const [note] = await deps.db.tenantQuery(tenantId, findNote(id), call)
  if (note === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const idempotencyKey = claim.upstreamKey('reserve')
  const create = { ...CREATE, body: { noteId }, idempotencyKey, ...call }
  const { reservationRef } = (await deps.upstream.call(create)).value
  const payload = { tenantId, noteId, reservationRef, reservedAt: cause.occurredAt.toISOString() }
  return {
    effect: markReserved(id, reservationRef),
    events: [registry.build(noteReserved.subject, payload, cause)],
    response: { status: 200, body: { noteId, reservationRef } },
    rejection: () => problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'),
  }
}

/** The count and the inbox record commit together; then the cached pages are invalidated. */
export const countNotes = (cache: Cache) =>
  on(notePlaced, {
    scope: 'tenant',
    handle: async (tx, { tenantId }) => void (await tx.query(countNote(idToUuid(tenantId)))),
    afterCommit: () => cache.invalidate(PAGE_TAGS),
  })
