import type { Claim } from '@melmastoon/chassis/idempotency'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { ConsumerContext } from '../context.ts'
import { preferenceEvents } from '../telemetry/preference-events.ts'
import type { Witnessed } from '../telemetry/report.ts'
import { changeSession } from './change-session.ts'
import type { GuestSession } from './guest-session.ts'
import { preferencesOf } from './session-preferences.ts'

export interface PreferenceChange extends Witnessed {
  readonly claim: Claim
  readonly change: (data: GuestSession) => GuestSession
}

/**
 * Changes the session, then answers and tells in one transaction. Changing it twice is changing it
 * once; who crashes in between has changed it and told nobody.
 */
export async function changePreferences(
  ctx: ConsumerContext,
  { session: known, claim, change, ...seen }: PreferenceChange,
): Promise<void> {
  const { before, session } = await changeSession(ctx, known.id, change)
  const events = preferenceEvents(ctx, before, { ...seen, session })
  const answer = {
    status: 200,
    body: preferencesOf(session.data),
    headers: { 'cache-control': 'no-store' },
  }
  await ctx.db.transaction(async (tx) => {
    await appendEvents(tx, events)
    await claim.completeIn(tx, answer)
  })
}
