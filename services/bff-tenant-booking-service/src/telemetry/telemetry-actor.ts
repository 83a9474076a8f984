import type { ClientInfo } from '@melmastoon/bff/guests'
import type { BookingSessionId } from '@melmastoon/domain'
import type { EventContext, MarketingAttribution } from '@melmastoon/events'

/** The guest who caused an event: the part of a `BookingActor` that telemetry needs. */
export interface TelemetryActor {
  readonly session: {
    readonly id: BookingSessionId
    readonly data: {
      readonly consentFlags: { readonly telemetry: boolean }
      readonly marketingAttribution: MarketingAttribution | null
    }
  }
  readonly client: Pick<ClientInfo, 'declinesTelemetry'>
  /** Made only when there is something to publish. */
  readonly cause: () => EventContext
}

/** Of the session and of this very request: DNT or GPC decline (D13). */
export function consents({ session, client }: Omit<TelemetryActor, 'cause'>): boolean {
  return session.data.consentFlags.telemetry && !client.declinesTelemetry
}

/** The cause of an event, with the session and the campaign that brought the guest. */
export function causeOf({ session, cause }: TelemetryActor): EventContext {
  const { marketingAttribution } = session.data
  return { ...cause(), sessionId: session.id, marketingAttribution }
}
