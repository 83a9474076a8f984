import { readOpenTenant } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
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
import type { ConsumerContext } from '../context.ts'
import type { Visit } from '../sessions/visit.ts'
import { countRefusals } from './count-refusals.ts'
import type { ConsumedHandoffVM } from './handoff-fields.ts'
import { reportReplay } from './report-replay.ts'
import { takeHandoff } from './sql/take-handoff.ts'

/** A guest stands at the hotel's door with her token, whose signature was checked there. */
export interface Arrival extends UpstreamCall {
  readonly handoffId: HandoffId
  readonly tenantId: TenantId
  readonly arrivalId: HandoffArrivalId
  readonly instance: string
  readonly visit: Visit
  readonly cause: () => EventContext
}

/**
 * The first arrival has the handoff, and may tell so as often as it likes; every other one is a
 * replay. A tenant that takes no guests uses nothing up.
 */
export function consumeBookingHandoff(
  ctx: ConsumerContext,
  arrival: Arrival,
): Promise<ConsumedHandoffVM> {
  return countRefusals(ctx.measures.handoffConsumes, () => consume(ctx, arrival))
}

async function consume(ctx: ConsumerContext, arrival: Arrival): Promise<ConsumedHandoffVM> {
  const { handoffId, tenantId, arrivalId, instance } = arrival
  await readOpenTenant(ctx, tenantId, {
    deadline: arrival.deadline,
    trace: arrival.trace,
    suspendedCode: 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
  })
  const [row] = await ctx.db.query(
    takeHandoff({ handoffId, tenantId, arrivalId, instance, skewMs: HANDOFF_SKEW_MS }),
  )
  if (row === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  if (row.arrival_id === null || row.consumed_at === null) {
    throw problem('MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED')
  }
  if (row.arrival_id !== idToUuid(arrivalId)) {
    reportReplay(ctx, arrival, row)
    throw problem('MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED')
  }
  ctx.measures.handoffConsumes.inc({ outcome: row.is_first ? 'consumed' : 'repeated' })
  return { handoffId, arrivalId, consumedAt: toIsoDateTime(row.consumed_at) }
}
