import { appendEvents } from '@melmastoon/chassis/outbox'
import { uuidToId } from '@melmastoon/domain'
import { penalize } from '../bots/bots.ts'
import { THRESHOLDS, WEIGHTS } from '../bots/scoring.ts'
import type { ConsumerContext } from '../context.ts'
import { botSuspected } from '../events/bot-events.ts'
import { buildReport } from '../telemetry/report.ts'
import type { Arrival } from './consume-booking-handoff.ts'
import { markReplayReported, type TakenHandoff } from './handoff-sql.ts'

/** One link is penalised once, however often it is tried: it may have been shared in good faith. */
const PENALTY_SECONDS = 3_600
const KIND = 'fingerprint-collision'

/** In the background; concurrent replays of one handoff are reported once. */
export function reportReplay(ctx: ConsumerContext, arrival: Arrival, row: TakenHandoff): void {
  ctx.background.run(`replay ${arrival.handoffId}`, async () => {
    if (row.is_reported) return
    if (await ctx.recentKeys.claimOnce(`replay ${arrival.handoffId}`, PENALTY_SECONDS)) {
      await penalize(ctx, row.fingerprint_hash, 'handoff-replayed')
    }
    await report(ctx, arrival, row)
  })
}

/**
 * The owner of the link may be a victim, hence suspect and no more. The consent of a session that
 * no longer exists is unknown, so no event is published (C8); the row is counted anyway.
 */
async function report(ctx: ConsumerContext, arrival: Arrival, row: TakenHandoff): Promise<void> {
  const guestSessionId = uuidToId('gms', row.guest_session_id)
  const session = await ctx.sessions.find(guestSessionId)
  if (session === null) return
  const event = buildReport(ctx, botSuspected, {
    session,
    client: arrival.client,
    cause: arrival.cause,
    payload: (evaluatedAt) => ({
      guestSessionId,
      fingerprintHash: row.fingerprint_hash,
      reason: 'handoff-replayed',
      score: THRESHOLDS.suspect,
      verdict: 'suspect',
      signals: [{ kind: KIND, weight: WEIGHTS[KIND]['handoff-replayed'] }],
      handoffId: arrival.handoffId,
      evaluatedAt,
    }),
  })
  if (event === null) return
  await ctx.db.transaction(async (tx) => {
    const marked = await tx.query(markReplayReported(arrival.handoffId))
    if (marked.length > 0) await appendEvents(tx, [event])
  })
}
