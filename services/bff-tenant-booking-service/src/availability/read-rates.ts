import type { Section } from '@melmastoon/bff/sections'
import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { isProblem, type Money, microToMinor, problem } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import {
  type AvailabilityCaches,
  type AvailabilityRequest,
  CHEAPEST_MS,
  rateTags,
  stayDimension,
} from './availability-caches.ts'

type Response = OutputOf<typeof pricingContract.operations.cheapestRates>
type UpstreamRate = Response['rates'][number]

/** One rate with exact amounts in minor units (D7). */
export interface Rate extends Omit<UpstreamRate, 'nightly' | 'total'> {
  readonly nightly: Money
  readonly total: Money
}

/** The rates of a hotel for one stay, the cheapest of each room type first. */
export interface Rates {
  readonly rates: readonly Rate[]
  readonly fxSnapshotId: string | null
  readonly capturedAtMs: number
}

export interface RateDeps extends Pick<AvailabilityCaches, 'cheapest'> {
  readonly clock: Clock
  readonly flags: { isFlashSale(tenantId: AvailabilityRequest['tenantId']): boolean }
  readonly measures: { readonly refusedRates: CounterMetric<'reason'> }
  readonly upstreams: { readonly pricing: ClientOf<typeof pricingContract> }
}

/** Older prices are marked as stale wherever they are shown (D6). */
export const PRICE_FRESH_MS = 60_000

export type RateRequest = Omit<AvailabilityRequest, 'locale'>

export interface ReadRates {
  readonly rates: Rates
  readonly section: Section
}

/** @throws Problem when no rates are cached and pricing does not respond within 800 ms (F-5). */
export async function readRates(
  deps: RateDeps,
  request: RateRequest,
  { deadline, trace }: UpstreamCall,
): Promise<ReadRates> {
  const { tenantId, propertyId, stay, occupancy, currency } = request
  const { body } = await deps.cheapest.get({
    dims: {
      tenantId,
      propertyId,
      stay: stayDimension(stay),
      occupancy: JSON.stringify(occupancy),
      currency,
    },
    tags: rateTags(request),
    deadline,
    load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
  })
  const rates = JSON.parse(body.toString()) as Rates
  const ageMs = Math.max(0, Math.round(deps.clock.nowMs() - rates.capturedAtMs))
  return { rates, section: { status: ageMs < PRICE_FRESH_MS ? 'fresh' : 'stale', ageMs } }
}

async function load(
  deps: RateDeps,
  { tenantId, propertyId, stay, occupancy, currency }: RateRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const response = await deps.upstreams.pricing.cheapestRates(
    { body: { propertyId, stay, occupancy, currency, plans: 'all' } },
    { ...call, tenantId, currency },
  )
  // A clock ahead of ours must not make prices younger than they are.
  const capturedAtMs = Math.min(Date.parse(response.capturedAt), deps.clock.nowMs())
  if (Number.isNaN(capturedAtMs)) throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  const rates: Rates = {
    rates: response.rates.flatMap((rate) => exactRate(deps, rate)),
    fxSnapshotId: response.fxSnapshotId ?? null,
    capturedAtMs,
  }
  const freshForMs = deps.flags.isFlashSale(tenantId) ? CHEAPEST_MS.flashSale : CHEAPEST_MS.normal
  return { body: JSON.stringify(rates), freshForMs }
}

/** A price is passed on exactly or not at all; an implausible one is counted. */
function exactRate({ measures }: RateDeps, rate: UpstreamRate): Rate[] {
  const nightly = exactMoney(rate.nightly)
  const total = exactMoney(rate.total)
  if (nightly === null || total === null || nightly.amountMinor <= 0 || total.amountMinor <= 0) {
    measures.refusedRates.inc({ reason: 'amount' })
    return []
  }
  if (nightly.currency !== total.currency) {
    measures.refusedRates.inc({ reason: 'currency' })
    return []
  }
  return [{ ...rate, nightly, total }]
}

function exactMoney({ amountMicro, currency }: UpstreamRate['total']): Money | null {
  try {
    return microToMinor(amountMicro, currency)
  } catch (error) {
    if (isProblem(error)) return null
    throw error
  }
}
