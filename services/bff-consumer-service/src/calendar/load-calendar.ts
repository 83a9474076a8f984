import type { Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  type LoadResult,
  memoizeDims,
} from '@melmastoon/chassis/cache'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { fieldError, type IsoDate, problem } from '@melmastoon/domain'
import type { StayCalendarResponse } from '@melmastoon/upstream-contracts/offers'
import { hotelAddress, unknownHotel } from '../listings/listing-cache.ts'
import { exactMinor } from '../rates/exact-minor.ts'
import { availabilityOf } from '../rates/offer-terms.ts'
import type { RateCaptureVM, RateTimes } from '../rates/rate-snapshot.ts'
import { captureTimes, type RateDeps } from '../rates/read-rates.ts'
import { UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'
import type { CalendarRequest } from './calendar-query.ts'
import type { CalendarDayVM, HotelCalendarVM } from './hotel-calendar.ts'

export type CalendarCache = DefinedCache<
  'propertyId' | 'from' | 'nights' | 'occupancy' | 'currency'
>

/** Prices have as much time as on other pages, although the search service returns them. */
export const CALENDAR_MS = UPSTREAM_MS.pricing

/** No text depends on the language, so the entry is the response itself. */
export function defineCalendars(cache: Cache): CalendarCache {
  return cache.define({
    name: 'stay-calendar',
    dimensions: ['propertyId', 'from', 'nights', 'occupancy', 'currency'],
    // Revalidated in the background in the ten seconds before a price is stale (D6).
    softTtlMs: 50_000,
    staleWhileRevalidateMs: 10_000,
    staleIfErrorMs: 10 * 60_000,
    negativeTtlMs: 10_000,
    jitter: 0,
    loadTimeoutMs: CALENDAR_MS,
    // Longer than a load may take, or a slow call would be repeated by every process.
    followerWaitMs: CALENDAR_MS + 1_000,
  })
}

export interface CalendarDeps extends Pick<RateDeps, 'clock' | 'measures'> {
  readonly calendars: CalendarCache
  readonly upstreams: Pick<Upstreams, 'search'>
}

/** With the first day at the hotel. */
export type DatedCalendar = CalendarRequest & { readonly from: IsoDate }

export function peekCalendar(
  { calendars }: Pick<CalendarDeps, 'calendars'>,
  request: DatedCalendar,
): CachedBytes | undefined {
  const entry = calendars.peek(memoizedDims(request), hotelAddress(request.propertyId).tags)
  return entry?.status === 200 ? entry : undefined
}

const memoizedDims = memoizeDims(dimsOf)

/**
 * From the search projection (C5).
 * @throws Problem when none is cached and the search service cannot be called, or rejects it.
 */
export async function loadCalendar(
  deps: CalendarDeps,
  request: DatedCalendar,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const entry = await deps.calendars.get({
    dims: dimsOf(request),
    tags: hotelAddress(request.propertyId).tags,
    deadline,
    load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
  })
  if (entry.status === 404) throw unknownHotel()
  if (entry.status !== 200) throw periodInvalid()
  return entry
}

function dimsOf({ propertyId, from, nights, occupancy, currency }: DatedCalendar) {
  return { propertyId, from, nights, occupancy: JSON.stringify(occupancy), currency }
}

const PERIOD_INVALID = 'MELMASTOON.SEARCH.STAY_INVALID'

function periodInvalid() {
  const errors = [fieldError('/query/from', 'refused', 'is not accepted by the search service')]
  return problem(PERIOD_INVALID, { errors })
}

async function load(
  deps: CalendarDeps,
  request: DatedCalendar,
  call: UpstreamCall,
): Promise<LoadResult> {
  const { propertyId, ...body } = request
  const { stayCalendar } = deps.upstreams.search
  try {
    const options = { ...call, currency: request.currency }
    return toLoadResult(
      deps,
      request,
      await stayCalendar({ params: { propertyId }, body }, options),
    )
  } catch (error) {
    if (!(error instanceof UpstreamRejection)) throw error
    if (error.code === 'MELMASTOON.PROPERTY.NOT_FOUND') return { status: 404, body: '' }
    if (error.code === PERIOD_INVALID) return { status: 422, body: '' }
    throw fromUpstreamRejection(error)
  }
}

function toLoadResult(
  deps: CalendarDeps,
  request: DatedCalendar,
  response: StayCalendarResponse,
): LoadResult {
  const { capturedAtMs, staleFromMs, times } = captureTimes(deps, response.capturedAt)
  const ageMs = Math.max(0, Math.round(deps.clock.nowMs() - capturedAtMs))
  const document: HotelCalendarVM = {
    ...calendarDocument(request, { status: 'fresh', ageMs }),
    rates: captureOf(response, times),
    days: response.days.map((day) => dayOf(deps, day)),
  }
  return { body: JSON.stringify(document), facts: { staleFromMs } }
}

/** Without any prices: the whole document where none could be loaded. */
export function calendarDocument(
  { propertyId, from, occupancy }: DatedCalendar,
  prices: Section,
): HotelCalendarVM {
  const degraded = prices.status !== 'fresh'
  return { sections: { prices }, degraded, propertyId, from, occupancy, days: [] }
}

function captureOf(
  { currencyDisplayPolicy, fxSnapshotId, fxStale = false }: StayCalendarResponse,
  times: RateTimes,
): RateCaptureVM {
  const isStale = times.isStale || fxStale
  return { currencyDisplayPolicy, ...(fxSnapshotId && { fxSnapshotId }), ...times, isStale }
}

type Day = StayCalendarResponse['days'][number]

/** Every member is named: undeclared members of an upstream response are dropped. */
function dayOf({ measures }: CalendarDeps, day: Day): CalendarDayVM {
  const { date, minNights, roomsLeft, reason } = day
  const cheapest = cheapestOf(day)
  if (cheapest === null) measures.refusedRates.inc({ reason: 'amount' })
  return {
    date,
    availability: availabilityOf(cheapest ? undefined : (reason ?? 'no_rate')),
    ...(minNights !== undefined && { minNights }),
    roomsLeft,
    ...(cheapest && { cheapest }),
  }
}

/** Null for amounts that cannot be a price (D7). */
function cheapestOf({ cheapest }: Day): CalendarDayVM['cheapest'] | null {
  if (cheapest === undefined) return undefined
  const { nights, cheapestNightly, total, roomTypeId, ratePlanCode } = cheapest
  const { currency } = total
  if (cheapestNightly.currency !== currency) return null
  const cheapestNightlyMinor = exactMinor(cheapestNightly.amountMicro, currency)
  const totalForStayMinor = exactMinor(total.amountMicro, currency)
  if (cheapestNightlyMinor === null || totalForStayMinor === null) return null
  if (cheapestNightlyMinor <= 0 || totalForStayMinor <= 0) return null
  return { nights, cheapestNightlyMinor, totalForStayMinor, currency, roomTypeId, ratePlanCode }
}
