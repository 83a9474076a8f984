import type { Preferences } from '../sessions/choose-preferences.ts'

type Plan<Body, Page> = (body: Body, preferences: Preferences, now: Date) => Page

/** What may be asked about changes at midnight and at noon (UTC), never within an hour. */
const HOUR_MS = 3_600_000
/** One body is asked in few languages and currencies; who tries all of them fills no memory. */
const VIEWS_MAX = 8

/**
 * The route remembers bodies, so the same question is the same object: what it comes down to is
 * worked out once for each language and currency, and again in the next hour.
 */
export function rememberPlans<Body extends object, Page>(plan: Plan<Body, Page>) {
  const known = new WeakMap<Body, Map<string, { readonly hour: number; readonly page: Page }>>()
  return (body: Body, preferences: Preferences, nowMs: number): Page => {
    const hour = Math.floor(nowMs / HOUR_MS)
    const view = `${preferences.locale} ${preferences.currency}`
    const planned = known.get(body)
    const seen = planned?.get(view)
    if (seen?.hour === hour) return seen.page
    const page = plan(body, preferences, new Date(nowMs))
    if (planned === undefined) {
      known.set(body, new Map([[view, { hour, page }]]))
      return page
    }
    if (planned.size >= VIEWS_MAX) planned.clear()
    planned.set(view, { hour, page })
    return page
  }
}
