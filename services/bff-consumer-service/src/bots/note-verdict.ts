import { type GuestSessionId, idToUuid } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { botSuspected } from '../events/bot-events.ts'
import { report, type Witnessed } from '../telemetry/report.ts'
import type { Sighting } from './sighting.ts'
import type { Standing } from './standing.ts'

/** What has not changed is written down again after this time. */
const LOG_AGAIN_MS = 600_000
const { debounceSeconds = 0 } = botSuspected

/** A row and a number for every verdict, an event for those that hold somebody back (C8, C9). */
export function noteVerdict(
  ctx: ConsumerContext,
  standing: Standing,
  { witnessed }: Sighting,
): void {
  const { verdict } = standing
  ctx.measures.botVerdicts.inc({ verdict })
  logScore(ctx, standing)
  if (verdict !== 'human' && witnessed !== undefined)
    tellOf(ctx, { ...standing, verdict }, witnessed)
}

function logScore({ bots }: ConsumerContext, standing: Standing): void {
  const { sessionId, score, verdict, signals, logged } = standing
  const findings = signals.map(({ detail }) => detail).join()
  const nowMs = bots.clock.monotonicMs()
  if (logged?.findings === findings && nowMs - logged.atMs < LOG_AGAIN_MS) return
  standing.logged = { findings, atMs: nowMs }
  bots.scores.add({
    guest_session_id: sessionId === undefined ? null : idToUuid(sessionId as GuestSessionId),
    fingerprint_hash: standing.fingerprintHash,
    ip_hash: standing.addressHash,
    score,
    verdict,
    signals,
  })
}

type Suspect = Standing & { readonly verdict: 'suspect' | 'bot' }

/** Once in five minutes for each guest, whichever process she meets. */
function tellOf(ctx: ConsumerContext, suspect: Suspect, witnessed: Witnessed): void {
  const { session } = witnessed
  const { score, verdict, signals, addressHash, fingerprintHash } = suspect
  const elsewhere = signals.some(({ detail }) => detail === 'session-elsewhere')
  ctx.background.run(`suspect ${session.id}`, async () => {
    if (!(await ctx.recentKeys.claimOnce(`suspect ${session.id}`, debounceSeconds))) return
    report(ctx, botSuspected, {
      ...witnessed,
      payload: (at) => ({
        guestSessionId: session.id,
        fingerprintHash,
        ipHash: addressHash,
        reason: elsewhere ? 'session-elsewhere' : 'score',
        score,
        verdict,
        signals: signals.map(({ kind, weight }) => ({ kind, weight })),
        evaluatedAt: at,
      }),
    })
  })
}
