import type { Mutation } from '@melmastoon/chassis/idempotency'
import type { ConsumerContext } from '../context.ts'
import { preferenceEvents } from '../telemetry/preference-events.ts'
import type { Witnessed } from '../telemetry/report.ts'
import { changeSession } from './change-session.ts'
import type { GuestSessionData } from './guest-session.ts'
import { preferencesOf } from './session-preferences.ts'

export interface PreferenceChange extends Witnessed {
  readonly change: (data: GuestSessionData) => GuestSessionData
}

/**
 * Changes the session; response and events are then stored together. The change is idempotent: a
 * crash in between leaves the session changed and no event published.
 */
export async function changePreferences(
  ctx: ConsumerContext,
  { session: known, change, ...seen }: PreferenceChange,
): Promise<Mutation> {
  const { before, session } = await changeSession(ctx, known, change)
  const events = preferenceEvents(ctx, before, { ...seen, session })
  const response = {
    status: 200,
    body: preferencesOf(session.data),
    headers: { 'cache-control': 'no-store' },
  }
  return { events, response }
}
