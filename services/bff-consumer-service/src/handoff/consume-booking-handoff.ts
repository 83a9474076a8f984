import type { ClientInfo } from '@melmastoon/bff/guests'
import { readOpenTenant, type TenantDeps } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import {
  type HandoffArrivalId,
  type HandoffId,
  idToUuid,
  problem,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { HANDOFF_SKEW_MS } from '@melmastoon/security'
import type { ConsumedHandoff } from '@melmastoon/upstream-contracts/handoff'
import { countRejections } from './count-rejections.ts'
import { takeHandoff } from './handoff-sql.ts'
import { type ReplayDeps, reportReplay } from './report-replay.ts'

export interface ConsumeDeps extends TenantDeps, ReplayDeps {
  readonly measures: ReplayDeps['measures'] & { readonly handoffConsumes: CounterMetric<'outcome'> }
}

/** A guest arrived at the hotel's own site with a token, whose signature was verified there. */
export interface Arrival extends UpstreamCall {
  readonly handoffId: HandoffId
  readonly tenantId: TenantId
  readonly arrivalId: HandoffArrivalId
  readonly instance: string
  readonly client: ClientInfo
  readonly cause: () => EventContext
}

/**
 * The first arrival consumes the handoff and may repeat the request; every other arrival is a
 * replay. A suspended tenant consumes nothing.
 */
export function consumeBookingHandoff(
  deps: ConsumeDeps,
  arrival: Arrival,
): Promise<ConsumedHandoff> {
  return countRejections(deps.measures.handoffConsumes, () => consume(deps, arrival))
}

async function consume(deps: ConsumeDeps, arrival: Arrival): Promise<ConsumedHandoff> {
  const { handoffId, tenantId, arrivalId, instance } = arrival
  await readOpenTenant(deps, tenantId, {
    deadline: arrival.deadline,
    trace: arrival.trace,
    suspendedCode: 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
  })
  const take = { handoffId, tenantId, arrivalId, instance, skewMs: HANDOFF_SKEW_MS }
  const [row] = await deps.db.query(takeHandoff(take), { deadline: arrival.deadline })
  if (row === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  if (row.arrival_id === null || row.consumed_at === null) {
    throw problem('MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED')
  }
  if (row.arrival_id !== idToUuid(arrivalId)) {
    reportReplay(deps, arrival, row)
    throw problem('MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED')
  }
  deps.measures.handoffConsumes.inc({ outcome: row.is_first ? 'consumed' : 'repeated' })
  return { handoffId, arrivalId, consumedAt: toIsoDateTime(row.consumed_at) }
}
