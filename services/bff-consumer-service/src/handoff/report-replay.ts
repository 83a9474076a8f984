import type { BackgroundWork, RecentKeys } from '@melmastoon/chassis/concurrency'
import type { Database } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { uuidToId } from '@melmastoon/domain'
import { type PenaltyDeps, penalize } from '../bots/bots.ts'
import { THRESHOLDS, WEIGHTS } from '../bots/scoring.ts'
import { botSuspected } from '../events/bot-events.ts'
import type { GuestSessions } from '../sessions/guest-session.ts'
import { buildReport, type ReportDeps } from '../telemetry/report.ts'
import type { Arrival } from './consume-booking-handoff.ts'
import { markReplayReported, type TakenHandoff } from './handoff-sql.ts'

/** One link is penalised once, however often it is tried: it may have been shared in good faith. */
const PENALTY_SECONDS = 3_600
const KIND = 'fingerprint-collision'

export interface ReplayDeps extends PenaltyDeps, ReportDeps {
  readonly background: Pick<BackgroundWork, 'run'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce'>
  readonly sessions: Pick<GuestSessions, 'find'>
  readonly db: Database
  readonly measures: PenaltyDeps['measures'] & ReportDeps['measures']
}

/** In the background; concurrent replays of one handoff are reported once. */
export function reportReplay(deps: ReplayDeps, arrival: Arrival, row: TakenHandoff): void {
  deps.background.run(`replay ${arrival.handoffId}`, async () => {
    if (row.is_reported) return
    if (await deps.recentKeys.claimOnce(`replay ${arrival.handoffId}`, PENALTY_SECONDS)) {
      await penalize(deps, row.fingerprint_hash, 'handoff-replayed')
    }
    await report(deps, arrival, row)
  })
}

/**
 * The owner of the link may be a victim, hence suspect and no more. The consent of a session that
 * no longer exists is unknown, so no event is published (C8); the row is counted anyway.
 */
async function report(deps: ReplayDeps, arrival: Arrival, row: TakenHandoff): Promise<void> {
  const guestSessionId = uuidToId('gms', row.guest_session_id)
  const session = await deps.sessions.find(guestSessionId)
  if (session === null) return
  const event = buildReport(deps, botSuspected, {
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
  await deps.db.transaction(async (tx) => {
    const marked = await tx.query(markReplayReported(arrival.handoffId))
    if (marked.length > 0) await appendEvents(tx, [event])
  })
}
