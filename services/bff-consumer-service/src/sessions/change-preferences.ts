import type { Claim } from '@melmastoon/chassis/idempotency'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { EventContext } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'
import { preferenceEvents } from '../telemetry/preference-events.ts'
import { changeSession } from './change-session.ts'
import type { GuestSession } from './guest-session.ts'
import { preferencesOf } from './session-preferences.ts'
import type { Visit } from './visit.ts'

export interface PreferenceChange {
  readonly id: string
  readonly visit: Visit
  readonly cause: () => EventContext
  readonly claim: Claim
  readonly change: (data: GuestSession) => GuestSession
}

/**
 * Changes the session, then answers and tells in one transaction. Changing it twice is changing it
 * once; who crashes in between has changed it and told nobody.
 */
export async function changePreferences(
  ctx: ConsumerContext,
  { id, visit, cause, claim, change }: PreferenceChange,
): Promise<void> {
  const { before, session } = await changeSession(ctx, id, change)
  const events = preferenceEvents(ctx, before, { session, visit, cause })
  const answer = {
    status: 200,
    body: preferencesOf(session.data),
    headers: { 'cache-control': 'no-store' },
  }
  await ctx.db.transaction(async (tx) => {
    await appendEvents(tx, events)
    await claim.complete(answer, tx)
  })
}
