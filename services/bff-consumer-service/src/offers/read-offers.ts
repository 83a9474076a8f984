import type { Occupancy } from '@melmastoon/bff/stays'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { type CachedBytes, type LoadResult, memoizeDims } from '@melmastoon/chassis/cache'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import {
  type CurrencyCode,
  fieldError,
  type PropertyId,
  problem,
  type StayDates,
} from '@melmastoon/domain'
import type { OffersResponse } from '@melmastoon/upstream-contracts/offers'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hotelAddress, unknownHotel } from '../listings/listing-cache.ts'
import { captureTimes, type RateDeps } from '../rates/read-rates.ts'
import type { Upstreams } from '../upstreams/create-upstreams.ts'
import { type CapturedOffers, captureRooms } from './capture-offers.ts'
import { OFFERS_FRESH_MS, type OfferCaches } from './offer-caches.ts'

export type OfferDeps = Pick<OfferCaches, 'offers'> &
  Pick<RateDeps, 'clock' | 'measures'> & { readonly upstreams: Pick<Upstreams, 'search'> }

export interface OffersRequest {
  readonly propertyId: PropertyId
  readonly stay: StayDates
  readonly occupancy: Occupancy
  readonly currency: CurrencyCode
}

export function peekOffers(
  { offers }: Pick<OfferDeps, 'offers'>,
  request: OffersRequest,
): CachedBytes | undefined {
  const { tags } = hotelAddress(request.propertyId)
  const entry = offers.peek(memoizedDims(request), tags)
  return entry?.status === 200 ? entry : undefined
}

/**
 * The offers of the search projection (C5): one upstream call per stay and minute at most.
 * @throws Problem when none are cached and the search service fails or rejects the stay.
 */
export async function readOffers(
  deps: OfferDeps,
  request: OffersRequest,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const entry = await deps.offers.get({
    dims: dimsOf(request),
    tags: hotelAddress(request.propertyId).tags,
    deadline,
    load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
  })
  if (entry.status === 404) throw unknownHotel()
  if (entry.status !== 200) throw stayInvalid()
  return entry
}

const memoizedDims = memoizeDims(dimsOf)

function dimsOf({ propertyId, stay, occupancy, currency }: OffersRequest) {
  return {
    propertyId,
    stay: `${stay.checkIn} ${stay.checkOut}`,
    occupancy: JSON.stringify(occupancy),
    currency,
  }
}

async function load(
  deps: OfferDeps,
  { propertyId, ...body }: OffersRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const { currency } = body
  const { offers } = deps.upstreams.search
  try {
    const response = await offers({ params: { propertyId }, body }, { ...call, currency })
    return toLoadResult(deps, response)
  } catch (error) {
    if (!(error instanceof UpstreamRejection)) throw error
    if (error.code === 'MELMASTOON.PROPERTY.NOT_FOUND') return { status: 404, body: '' }
    if (error.code === STAY_INVALID) return { status: 422, body: '' }
    throw fromUpstreamRejection(error)
  }
}

const STAY_INVALID = 'MELMASTOON.SEARCH.STAY_INVALID'

function stayInvalid() {
  const errors = [fieldError('/query/checkIn', 'refused', 'is not accepted by the search service')]
  return problem(STAY_INVALID, { errors })
}

/** Up to this lag a price counts as captured when it was requested. */
const CAPTURE_LAG_MAX_MS = 5_000

function toLoadResult(deps: OfferDeps, response: OffersResponse): LoadResult {
  const { tenantId, paymentMethods, currencyDisplayPolicy, fxSnapshotId, fxStale } = response
  const { capturedAtMs, staleFromMs, times } = captureTimes(deps, response.capturedAt)
  const onInvalid = (reason: string) => deps.measures.refusedRates.inc({ reason })
  const captured: CapturedOffers = {
    tenantId,
    rooms: captureRooms(response, onInvalid),
    paymentMethods,
    currencyDisplayPolicy,
    ...(fxSnapshotId && { fxSnapshotId }),
    fxStale: fxStale ?? false,
    capturedAt: times.capturedAt,
    ttlExpiresAt: times.ttlExpiresAt,
  }
  const facts: OfferFacts = { capturedAtMs, staleFromMs }
  const ageMs = Math.max(0, deps.clock.nowMs() - capturedAtMs)
  return {
    body: JSON.stringify(captured),
    facts,
    ...(ageMs > CAPTURE_LAG_MAX_MS && { freshForMs: Math.max(0, OFFERS_FRESH_MS - ageMs) }),
  }
}

/** Facts that are needed without parsing the offers. Stored with the entry, not sent. */
const OfferFacts = Type.Object({
  capturedAtMs: Type.Number(),
  /** When they become stale (D6). */
  staleFromMs: Type.Number(),
})

export type OfferFacts = Static<typeof OfferFacts>

const isOfferFacts = Compile(OfferFacts)

/** Prices of unknown age are stale. */
export function offerFactsOf({ facts }: Pick<CachedBytes, 'facts'>): OfferFacts {
  return isOfferFacts.Check(facts) ? facts : { capturedAtMs: 0, staleFromMs: 0 }
}

export function offersOf({ body }: Pick<CachedBytes, 'body'>): CapturedOffers {
  return JSON.parse(body.toString()) as CapturedOffers
}
