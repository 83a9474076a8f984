import type { ClientInfo } from '@melmastoon/bff/guests'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CurrencyCode, Locale } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { Site } from '../site/site.ts'
import type { BookingSession } from './booking-session.ts'

/** Who acts, at which site, and the request that caused it. */
export interface BookingActor extends UpstreamCall {
  readonly site: Site
  readonly session: BookingSession
  readonly client: ClientInfo
  /** Of the response to this request. */
  readonly locale: Locale
  readonly currency: CurrencyCode
  /** Made only when there is something to report. */
  readonly cause: () => EventContext
}
