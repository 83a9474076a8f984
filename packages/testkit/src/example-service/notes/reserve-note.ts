import type { Deadline } from '@melmastoon/chassis/clock'
import type { Claim } from '@melmastoon/chassis/idempotency'
import { appendEvents } from '@melmastoon/chassis/outbox'
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
 * A mutation with a side effect elsewhere. The upstream sees the same derived key on every attempt,
 * so a crash between its answer and our commit finds the same reservation again.
 */
export async function reserveNote(ctx: ExampleContext, request: ReserveNote): Promise<void> {
  const { tenantId, noteId, claim } = request
  const id = idToUuid(noteId)
  const [note] = await ctx.db.tenantQuery(tenantId, findNote(id))
  if (note === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const reservationRef = await obtainReservation(ctx, request)
  await ctx.db.withTenant(tenantId, async (tx) => {
    await tx.query(markReserved(id, reservationRef))
    await appendEvents(tx, [reservedEvent(ctx, request, reservationRef)])
    await claim.complete({ status: 200, body: { noteId, reservationRef } }, tx)
  })
}

async function obtainReservation(ctx: ExampleContext, request: ReserveNote): Promise<string> {
  const { claim, deadline, noteId } = request
  const known = claim.recoveryData['reservationRef']
  if (claim.recoveryPoint === 'reserved' && typeof known === 'string') return known
  const reservationRef = await createReservation(ctx.upstream, {
    noteId,
    deadline,
    idempotencyKey: claim.upstreamKey('reserve'),
    trace: request.trace,
  })
  await claim.checkpoint('reserved', { reservationRef })
  return reservationRef
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
