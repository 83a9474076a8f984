import type { ConsumerContext } from '../context.ts'
import { limitRefusal } from '../limits/limit-visit.ts'
import type { Visit } from '../sessions/visit.ts'
import { boundVisitor, type Standing } from './standing.ts'

/**
 * Before a session is begun. Whoever keeps no cookies would begin one with every request.
 *
 * @throws Problem when this device has begun too many: then a page is answered without one.
 */
export async function admitNewcomer(ctx: ConsumerContext, visit: Visit): Promise<Standing> {
  const { address, userAgent, acceptLanguage } = visit
  const visitor = boundVisitor({ address, userAgent, acceptLanguage, session: undefined })
  const standing = ctx.bots.standings.of(visitor)
  const refusal = limitRefusal(await ctx.limits.mint.take(standing.deviceHash))
  if (refusal !== undefined) throw refusal
  return standing
}

/** After it was begun: who has just shown that she is human need not show it again. Never fails. */
export async function settleNewcomer(
  { bots, background, errors }: ConsumerContext,
  standing: Standing,
  sessionId: string,
): Promise<void> {
  background.run(`mint ${sessionId}`, () => bots.ledger.noteMint(standing.deviceHash))
  const clearedMs = standing.clearedUntilMs - bots.clock.monotonicMs()
  if (clearedMs > 0) await bots.ledger.clear(sessionId, clearedMs / 1_000).catch(errors.for('bots'))
}
