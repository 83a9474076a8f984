import { eventCause, type SessionHook } from '@melmastoon/chassis/http'
import type { FastifyRequest } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import type { GuestSessionData } from '../sessions/guest-session.ts'
import type { Witnessed } from '../telemetry/report.ts'
import { readVisit } from './read-visit.ts'

/** @throws Problem when whoever asks is no guest. */
export function witness(
  ctx: ConsumerContext,
  session: SessionHook<GuestSessionData, 'gms'>,
  request: FastifyRequest,
): Witnessed {
  return {
    session: session.requireSession(request),
    visit: readVisit(request),
    cause: () => eventCause(ctx, request),
  }
}
