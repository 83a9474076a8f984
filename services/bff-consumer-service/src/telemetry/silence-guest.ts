import type { ConsumerContext } from '../context.ts'

/**
 * Of what waits in this process nothing more is told of a guest, neither of what is queued nor of
 * what is on its way there. Other processes hear of it with the change of her session; what they
 * have queued by then was caused with her consent and leaves within milliseconds.
 */
export function silenceGuest(ctx: ConsumerContext, sessionId: string): void {
  const discard = () => ctx.telemetry.discard(({ envelope }) => envelope.sessionId === sessionId)
  discard()
  ctx.guestQueue.runNowOrQueue(sessionId, discard)
}
