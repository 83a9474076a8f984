import type { ClientOf } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { BackgroundWork, RecentKeys } from '@melmastoon/chassis/concurrency'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import {
  type HandoffArrivalId,
  type HandoffId,
  isProblem,
  newId,
  type TenantId,
} from '@melmastoon/domain'
import type { handoffContract } from '@melmastoon/upstream-contracts/handoff'

/** The time limit of one call; the event of the arrival follows anyway. */
const REPORT_MS = 800
/** One link is reported once, however often it is tried. */
const REPLAY_SECONDS = 3_600

export interface ReportDeps {
  readonly background: Pick<BackgroundWork, 'run'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce'>
  readonly config: { readonly instance: string }
  readonly upstreams: { readonly consumer: Pick<ClientOf<typeof handoffContract>, 'consume'> }
}

export interface ReportedArrival {
  readonly tenantId: TenantId
  readonly handoffId: HandoffId
  readonly arrivalId: HandoffArrivalId
  readonly trace: TraceContext
}

/**
 * Reports to the service that minted the handoff, in the background and without a retry: it
 * also subscribes to the event of the arrival (D4).
 */
export function reportArrival(deps: ReportDeps, arrival: ReportedArrival): void {
  deps.background.run(`handoff ${arrival.handoffId}`, () => consume(deps, arrival))
}

/**
 * Reports a second arrival, from which the consumer service concludes that the link was shared or
 * stolen. The first arrival is reported again before, so that the second cannot take its place.
 */
export function reportReplay(deps: ReportDeps, first: ReportedArrival): void {
  const name = `handoff replay ${first.handoffId}`
  deps.background.run(name, async () => {
    if (!(await deps.recentKeys.claimOnce(name, REPLAY_SECONDS))) return
    if (await consume(deps, first)) await consume(deps, { ...first, arrivalId: newId('bha') })
  })
}

/** False if the call failed or was rejected; the client's own metrics count both. */
async function consume({ config, upstreams }: ReportDeps, arrival: ReportedArrival) {
  const { tenantId, arrivalId, handoffId, trace } = arrival
  using deadline = createDeadline(REPORT_MS)
  const body = { tenantId, arrivalId, consumedByBffInstance: config.instance }
  try {
    await upstreams.consumer.consume({ params: { id: handoffId }, body }, { deadline, trace })
    return true
  } catch (error) {
    if (isProblem(error) || error instanceof UpstreamRejection) return false
    throw error
  }
}
