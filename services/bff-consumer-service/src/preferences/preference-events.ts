import type { OutboxEvent } from '@melmastoon/events'
import { currencyChanged, localeChanged } from '../events/session-events.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import type { GuestSessionData } from '../sessions/guest-session.ts'
import { buildReport, type ReportDeps } from '../telemetry/report.ts'

/** The events of a change, with the guest's consent after it; none if nothing changed. */
export function preferenceEvents(
  deps: ReportDeps,
  before: GuestSessionData,
  after: GuestActor,
): OutboxEvent[] {
  const { id: guestSessionId, data } = after.session
  const { localePreference: locale, currencyPreference: currency } = data
  const { localePreference: previousLocale, currencyPreference: previousCurrency } = before
  const events = [
    locale === previousLocale
      ? null
      : buildReport(deps, localeChanged, {
          ...after,
          payload: (changedAt) => ({ guestSessionId, previousLocale, locale, changedAt }),
        }),
    currency === previousCurrency
      ? null
      : buildReport(deps, currencyChanged, {
          ...after,
          payload: (changedAt) => ({ guestSessionId, previousCurrency, currency, changedAt }),
        }),
  ]
  return events.filter((event) => event !== null)
}
