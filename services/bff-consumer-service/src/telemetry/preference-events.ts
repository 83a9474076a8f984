import type { OutboxEvent } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'
import { currencyChanged, localeChanged } from '../events/session-events.ts'
import type { GuestSessionData } from '../sessions/guest-session.ts'
import { buildReport, type Witnessed } from './report.ts'

/** What to tell of a change, by the guest's consent after it; nothing if nothing changed. */
export function preferenceEvents(
  ctx: ConsumerContext,
  before: GuestSessionData,
  after: Witnessed,
): OutboxEvent[] {
  const { id: guestSessionId, data } = after.session
  const { localePreference: locale, currencyPreference: currency } = data
  const { localePreference: previousLocale, currencyPreference: previousCurrency } = before
  const events = [
    locale === previousLocale
      ? null
      : buildReport(ctx, localeChanged, {
          ...after,
          payload: (changedAt) => ({ guestSessionId, previousLocale, locale, changedAt }),
        }),
    currency === previousCurrency
      ? null
      : buildReport(ctx, currencyChanged, {
          ...after,
          payload: (changedAt) => ({ guestSessionId, previousCurrency, currency, changedAt }),
        }),
  ]
  return events.filter((event) => event !== null)
}
