import type { Mutation } from '@melmastoon/chassis/idempotency'
import { directionOf } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { CLAIMED, setConsentOfDrafts } from '../drafts/draft-sql.ts'
import { currencyChanged, localeChanged } from '../events/session-events.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import { BookingSessionData } from '../sessions/booking-session.ts'
import { type ChangeSessionDeps, changeSession } from '../sessions/change-session.ts'
import { buildReport, type ReportDeps } from '../telemetry/report.ts'

const { localePreference, displayCurrency, consentFlags } = BookingSessionData.properties

/** The preferences of a guest at one site. */
export const SessionPreferencesVM = named(
  'SessionPreferences',
  Type.Object({ localePreference, displayCurrency, consentFlags }),
  {
    localePreference: 'ps-AF',
    displayCurrency: 'AFN',
    consentFlags: { telemetry: true, functional: true },
  },
)

type SessionPreferencesVM = Static<typeof SessionPreferencesVM>

/**
 * Changes the session; response and events are then stored together. The change is idempotent: a
 * crash in between leaves the session changed and no event published.
 */
export async function changePreferences(
  deps: ChangeSessionDeps & ReportDeps,
  actor: BookingActor,
  change: (data: BookingSessionData) => BookingSessionData,
): Promise<Mutation> {
  const { before, session } = await changeSession(deps, actor.session, change)
  const events = preferenceEvents(deps, before, { ...actor, session })
  const body = preferencesOf(session.data)
  return { events, response: { status: 200, body, headers: { 'cache-control': 'no-store' } } }
}

/**
 * A withdrawal is effective with the response, in every process and for open drafts. What is not
 * mentioned stays; a browser that declines telemetry is not overruled (D13).
 */
export async function changeConsent(
  deps: ChangeSessionDeps & ReportDeps,
  actor: BookingActor,
  wanted: { readonly telemetry?: boolean; readonly functional?: boolean },
): Promise<Mutation> {
  const { declinesTelemetry } = actor.client
  let consents = false
  const mutation = await changePreferences(deps, actor, (data) => {
    const { telemetry, functional } = { ...data.consentFlags, ...wanted }
    consents = telemetry && !declinesTelemetry
    return { ...data, consentFlags: { telemetry: consents, functional } }
  })
  const drafts = setConsentOfDrafts(actor.session.id, consents, CLAIMED)
  return { ...mutation, furtherEffects: [drafts] }
}

function preferencesOf(data: BookingSessionData): SessionPreferencesVM {
  const { localePreference: locale, displayCurrency: currency, consentFlags: consent } = data
  return { localePreference: locale, displayCurrency: currency, consentFlags: consent }
}

/** With the guest's consent after the change; none if nothing changed. */
function preferenceEvents(
  deps: ReportDeps,
  before: BookingSessionData,
  after: BookingActor,
): OutboxEvent[] {
  const events = [localeEvent(deps, before, after), currencyEvent(deps, before, after)]
  return events.filter((event) => event !== null)
}

function localeEvent(deps: ReportDeps, before: BookingSessionData, after: BookingActor) {
  const { id: sessionId, data } = after.session
  const { localePreference: from } = before
  const { localePreference: to, tenantId } = data
  if (from === to) return null
  const isRtlChange = directionOf(from) !== directionOf(to)
  return buildReport(deps, localeChanged, {
    ...after,
    payload: (changedAt) => ({ tenantId, sessionId, from, to, isRtlChange, changedAt }),
  })
}

function currencyEvent(deps: ReportDeps, before: BookingSessionData, after: BookingActor) {
  const { id: sessionId, data } = after.session
  const { displayCurrency: from } = before
  const { displayCurrency: to, tenantId, activeBookingDraftId: draftId } = data
  if (from === to) return null
  return buildReport(deps, currencyChanged, {
    ...after,
    payload: (changedAt) => ({ tenantId, sessionId, from, to, draftId, changedAt }),
  })
}
