import { isProblem, type Problem, type TenantId } from '@melmastoon/domain'
import { flowErrorEncountered } from '../events/flow-events.ts'
import { type ReportDeps, report } from './report.ts'
import type { TelemetryActor } from './telemetry-actor.ts'

export interface FlowActor extends TelemetryActor {
  readonly site: { readonly tenantId: TenantId }
}

/** Their code begins with the name of the service that decided. */
const UPSTREAM = /^MELMASTOON\.(PRICING|PROPERTY|INVENTORY|RESERVATION|PAYMENT)\./

/**
 * For `catch`: reports an error that a guest without a draft sees, and throws it again. Requests
 * that were not admitted are not part of the flow.
 */
export function reportFlowError(deps: ReportDeps, actor: FlowActor, atState: string) {
  return (error: unknown): never => {
    if (isProblem(error) && error.status !== 401 && error.status !== 429) {
      report(deps, flowErrorEncountered, {
        ...actor,
        payload: (occurredAt) => ({
          tenantId: actor.site.tenantId,
          draftId: null,
          sessionId: actor.session.id,
          atState,
          errorCode: error.code,
          upstream: upstreamOf(error),
          occurredAt,
          userActionable: error.status < 500,
          retryAfterSec: error.retryAfterSeconds ?? 0,
        }),
      })
    }
    throw error
  }
}

function upstreamOf({ code }: Problem): string | null {
  const [, name] = UPSTREAM.exec(code) ?? []
  return name === undefined ? null : `${name.toLowerCase()}-service`
}
