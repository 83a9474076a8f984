import type { Deadline } from '@melmastoon/chassis/clock'
import type { Claim, Mutation } from '@melmastoon/chassis/idempotency'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import { noteReserved } from '../events.ts'
import { createReservation } from '../upstream/create-reservation.ts'
import type { NoteId } from './note.ts'
import { findNote } from './sql/find-note.ts'
import { markReserved } from './sql/mark-reserved.ts'

export interface ReserveNote {
  tenantId: TenantId
  noteId: NoteId
  cause: EventContext
  claim: Claim
  deadline: Deadline
  trace: TraceContext
}

/**
 * A mutation with an effect elsewhere. The upstream receives the same derived key in every attempt,
 * so after a crash between its response and our commit a retry finds the same reservation.
 */
export async function reserveNote(ctx: ExampleContext, request: ReserveNote): Promise<Mutation> {
  const { tenantId, noteId, claim, deadline, trace } = request
  const id = idToUuid(noteId)
  const [note] = await ctx.db.tenantQuery(tenantId, findNote(id), { deadline })
  if (note === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const idempotencyKey = claim.upstreamKey('reserve')
  const call = { noteId, deadline, idempotencyKey, trace }
  const reservationRef = await createReservation(ctx.upstream, call)
  return {
    effect: markReserved(id, reservationRef),
    events: [reservedEvent(ctx, request, reservationRef)],
    response: { status: 200, body: { noteId, reservationRef } },
    rejection: () => problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'),
  }
}

function reservedEvent(ctx: ExampleContext, request: ReserveNote, reservationRef: string) {
  const { tenantId, noteId, cause } = request
  const reservedAt = cause.occurredAt.toISOString()
  return ctx.registry.build(
    noteReserved.subject,
    { tenantId, noteId, reservationRef, reservedAt },
    cause,
  )
}
