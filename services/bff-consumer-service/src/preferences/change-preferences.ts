import type { Mutation } from '@melmastoon/chassis/idempotency'
import { type Static, Type } from 'typebox'
import { type ChangeSessionDeps, changeSession } from '../sessions/change-session.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import { type GuestSessionData, GuestSessionVM } from '../sessions/guest-session.ts'
import type { ReportDeps } from '../telemetry/report.ts'
import { preferenceEvents } from './preference-events.ts'

const { localePreference, currencyPreference, flags } = GuestSessionVM.properties

/**
 * The preferences of a guest. Responses to a choice are stored for replay and outlive the session,
 * so they contain nothing of what the guest viewed.
 */
export const SessionPreferencesVM = Type.Object({ localePreference, currencyPreference, flags })

type SessionPreferencesVM = Static<typeof SessionPreferencesVM>

export interface PreferenceChange extends GuestActor {
  readonly change: (data: GuestSessionData) => GuestSessionData
}

/**
 * Changes the session; response and events are then stored together. The change is idempotent: a
 * crash in between leaves the session changed and no event published.
 */
export async function changePreferences(
  deps: ChangeSessionDeps & ReportDeps,
  { session: known, change, ...actor }: PreferenceChange,
): Promise<Mutation> {
  const { before, session } = await changeSession(deps, known, change)
  const events = preferenceEvents(deps, before, { ...actor, session })
  const body = preferencesOf(session.data)
  return { events, response: { status: 200, body, headers: { 'cache-control': 'no-store' } } }
}

function preferencesOf(data: GuestSessionData): SessionPreferencesVM {
  const { localePreference: locale, currencyPreference: currency, flags: consents } = data
  return { localePreference: locale, currencyPreference: currency, flags: consents }
}
