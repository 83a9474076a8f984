import type { ClientInfo } from '@melmastoon/bff/guests'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import {
  type BookingSessionId,
  isProblem,
  newId,
  type ProblemCode,
  problem,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { handoffConsumed } from '@melmastoon/platform-events'
import {
  type HandoffRejections,
  type KeyedHash,
  type KeyRing,
  type VerifiedHandoff,
  verifyHandoff,
} from '@melmastoon/security'
import { registry } from '../events/registry.ts'
import { type HandoffArrivalVM, payloadOf } from './handoff-payload.ts'
import { type ArrivalRow, insertArrival, selectFirstArrival } from './handoff-sql.ts'
import { type ReportDeps, reportArrival, reportReplay } from './report-arrival.ts'

/** D4: reloading the page and going back must not fail. */
const REPEATABLE_MS = 120_000

const REJECTIONS: HandoffRejections = {
  invalid: 'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID',
  expired: 'MELMASTOON.BFF.TENANT.HANDOFF_EXPIRED',
  otherTenant: 'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
}

export interface ArrivalDeps extends ReportDeps {
  readonly clock: Clock
  readonly db: Pick<Database, 'tenantQuery'>
  readonly handoffKeys: KeyRing
  readonly hashes: Pick<KeyedHash, 'hashAddress'>
  readonly measures: { readonly handoffConsumes: CounterMetric<'outcome'> }
}

/** A guest presents a token to the site of a tenant. */
export interface GuestArrival extends UpstreamCall {
  readonly token: string
  readonly site: { readonly tenantId: TenantId }
  readonly session: {
    readonly id: BookingSessionId
    readonly data: { readonly deviceClass: string }
  }
  readonly client: Pick<ClientInfo, 'address'>
  readonly cause: () => EventContext
}

/**
 * Verifies the token without a network call and consumes it: of any number of concurrent arrivals
 * one is accepted (T3). Row and event are written in one statement.
 * @throws Problem HANDOFF_SIGNATURE_INVALID, HANDOFF_NOT_FOUND, HANDOFF_EXPIRED, HANDOFF_REPLAYED
 */
export async function arriveWithHandoff(
  deps: ArrivalDeps,
  arrival: GuestArrival,
): Promise<HandoffArrivalVM> {
  try {
    return await arrive(deps, arrival)
  } catch (error) {
    const outcome = isProblem(error) ? OUTCOMES[error.code] : undefined
    deps.measures.handoffConsumes.inc({ outcome: outcome ?? 'failed' })
    throw error
  }
}

const OUTCOMES: Readonly<Partial<Record<ProblemCode, string>>> = {
  'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID': 'invalid',
  'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND': 'other-tenant',
  'MELMASTOON.BFF.TENANT.HANDOFF_EXPIRED': 'expired',
  'MELMASTOON.BFF.TENANT.HANDOFF_REPLAYED': 'replayed',
}

async function arrive(deps: ArrivalDeps, arrival: GuestArrival): Promise<HandoffArrivalVM> {
  const { deadline, trace } = arrival
  const { tenantId } = arrival.site
  const now = deps.clock.now()
  const audience = { now, tenantId, rejections: REJECTIONS }
  const handoff = verifyHandoff(arrival.token, deps.handoffKeys, audience)
  const row = rowOf(deps, arrival, { handoff, now })
  const insert = insertArrival(row, eventOf(row, arrival.cause()))
  const [first] = await deps.db.tenantQuery(tenantId, insert, { deadline })
  if (first === undefined) return await arriveAgain(deps, arrival, row)
  deps.measures.handoffConsumes.inc({ outcome: 'consumed' })
  reportArrival(deps, { tenantId, handoffId: handoff.id, arrivalId: row.id, trace })
  return viewOf(row)
}

/** The session of the first arrival gets the same arrival again, for two minutes. */
async function arriveAgain(
  deps: ArrivalDeps,
  { deadline, trace }: GuestArrival,
  row: ArrivalRow,
): Promise<HandoffArrivalVM> {
  const { tenantId, sessionId } = row
  const select = selectFirstArrival(row.handoff.id, REPEATABLE_MS)
  const [first] = await deps.db.tenantQuery(tenantId, select, { deadline })
  const isSameSession = first?.session_id === sessionId
  if (first !== undefined && isSameSession && first.is_repeatable) {
    deps.measures.handoffConsumes.inc({ outcome: 'repeated' })
    return viewOf({ ...row, id: first.id, consumedAt: first.consumed_at })
  }
  if (first !== undefined && !isSameSession) {
    reportReplay(deps, { tenantId, handoffId: row.handoff.id, arrivalId: first.id, trace })
  }
  throw problem('MELMASTOON.BFF.TENANT.HANDOFF_REPLAYED')
}

function rowOf(
  { hashes }: ArrivalDeps,
  { site, session, client }: GuestArrival,
  { handoff, now }: { handoff: VerifiedHandoff; now: Date },
): ArrivalRow {
  return {
    id: newId('bha'),
    tenantId: site.tenantId,
    sessionId: session.id,
    handoff,
    payload: payloadOf(handoff),
    consumedAt: now,
    remoteIpHash: hashes.hashAddress(client.address),
    userAgentClass: session.data.deviceClass,
  }
}

function eventOf(row: ArrivalRow, cause: EventContext) {
  const { id, tenantId, sessionId, handoff, consumedAt } = row
  const { campaign } = row.payload
  // The clock of the minting service may be ahead.
  const elapsedMs = Math.max(0, consumedAt.getTime() - Date.parse(handoff.mintedAt))
  const content = {
    tenantId,
    handoffId: handoff.id,
    handoffArrivalId: id,
    consumerSessionId: handoff.guestSessionId,
    propertyId: handoff.propertyId,
    campaign,
    mintedAt: handoff.mintedAt,
    consumedAt: toIsoDateTime(consumedAt),
    elapsedMs,
    hmacSignatureFingerprint: handoff.signatureFingerprint,
  }
  const context = { ...cause, sessionId, marketingAttribution: campaign }
  return registry.build(handoffConsumed.subject, content, context)
}

function viewOf({ id, consumedAt, payload }: ArrivalRow): HandoffArrivalVM {
  return { handoffArrivalId: id, consumedAt: toIsoDateTime(consumedAt), payload }
}
