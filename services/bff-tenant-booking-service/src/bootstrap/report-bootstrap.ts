import type { HandoffArrivalId } from '@melmastoon/domain'
import { bootstrapServed } from '../events/session-events.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import { type DebounceDeps, type ReportDeps, reportOnce } from '../telemetry/report.ts'
import type { ReadBootstrap } from './read-bootstrap.ts'

export interface ServedBootstrap
  extends Pick<ReadBootstrap, 'cache' | 'facts' | 'fanoutLatencyMs'> {
  readonly handoffArrivalId: HandoffArrivalId | null
}

/** Who received it. */
export type BootstrapReader = Omit<BookingActor, 'deadline' | 'trace'>

/** At most once per session in five minutes. */
export function reportBootstrap(
  deps: ReportDeps & DebounceDeps,
  reader: BootstrapReader,
  { cache, facts, fanoutLatencyMs, handoffArrivalId }: ServedBootstrap,
): void {
  const { site, session, client, locale, currency, cause } = reader
  const { themeVersion, tenantConfigVersion } = facts
  reportOnce(deps, bootstrapServed, {
    session,
    client,
    cause,
    key: session.id,
    payload: () => ({
      tenantId: site.tenantId,
      tenantSlug: site.slug,
      sessionId: session.id,
      locale,
      currency,
      themeVersion,
      tenantConfigVersion,
      fanoutLatencyMs,
      cache,
      handoffArrivalId,
    }),
  })
}
