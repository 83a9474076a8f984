import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { Upstream } from '@melmastoon/chassis/upstream'
import { Type } from 'typebox'

const Reservation = Type.Object({ reservationRef: Type.String({ minLength: 1 }) })

export interface CreateReservation {
  noteId: string
  deadline: Deadline
  idempotencyKey: string
  trace: TraceContext
}

export async function createReservation(
  upstream: Upstream,
  call: CreateReservation,
): Promise<string> {
  const { noteId, ...rest } = call
  const answer = await upstream.call({
    operation: 'example.reservation.create',
    method: 'POST',
    path: '/reservations',
    body: { noteId },
    schema: Reservation,
    ...rest,
  })
  return answer.value.reservationRef
}
