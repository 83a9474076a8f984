import { MISSING_SECTION } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { type IsoDate, isProblem, PROBLEMS } from '@melmastoon/domain'
import type { ComposedDeps, ComposedPages } from '../derived-responses/composed-pages.ts'
import { type DerivedDeps, markStale, readDerived } from '../derived-responses/read-derived.ts'
import { peekSources, readSources, type SourceDeps } from '../hotels/read-sources.ts'
import { hotelAddress } from '../listings/listing-cache.ts'
import { maxAgeOf, type ServedPrices } from '../rates/served-prices.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { type CalendarRequest, chooseFirstDay, keyOfCalendar } from './calendar-query.ts'
import type { HotelCalendarVM } from './hotel-calendar.ts'
import {
  CALENDAR_MS,
  type CalendarDeps,
  calendarDocument,
  type DatedCalendar,
  loadCalendar,
  peekCalendar,
} from './load-calendar.ts'

export type HotelCalendarDeps = SourceDeps &
  CalendarDeps &
  ComposedDeps &
  DerivedDeps & {
    /** The days of requests for visible hotels. */
    readonly datedCalendars: ComposedPages<DatedCalendar>
    readonly upstreams: SourceDeps['upstreams'] & CalendarDeps['upstreams']
    readonly reportSection: ReportSection
  }

type ServedCalendar = ServedPrices<HotelCalendarVM>
type CachedCalendar = Extract<ServedCalendar, { kind: 'cached' }>

/** The calendar, if this process has it in memory and it is fresh. */
export function peekHotelCalendar(
  deps: HotelCalendarDeps,
  request: CalendarRequest,
): CachedCalendar | undefined {
  const known = deps.datedCalendars.find(deps, keyOfCalendar(request))
  const dated = known ?? peekDays(deps, request)
  const origin = dated && peekCalendar(deps, dated)
  if (origin === undefined || isStale(origin, deps.clock.nowMs())) return undefined
  return serve(deps, origin, origin)
}

/** The days of a visible hotel (D18), remembered until they or the hotel may have changed. */
function peekDays(deps: HotelCalendarDeps, request: CalendarRequest): DatedCalendar | undefined {
  const sources = peekSources(deps, request.propertyId)
  if (sources?.signals === undefined) return undefined
  const { property, signals, tenantId, timeZone } = sources
  const from = chooseFirstDay(request.from, timeZone, deps.clock.now())
  const dated: DatedCalendar = { ...request, from }
  deps.datedCalendars.remember(deps, keyOfCalendar(request), {
    page: dated,
    tags: hotelAddress(request.propertyId).tags,
    tenants: [tenantId],
    freshUntilMs: Math.min(property.freshUntilMs, signals.freshUntilMs),
  })
  return dated
}

/** Visible hotels only (D18); the property also has the time zone of the days. */
export async function readHotelCalendar(
  deps: HotelCalendarDeps,
  request: CalendarRequest,
  call: UpstreamCall,
): Promise<ServedCalendar> {
  const early = request.from && settleCalendar(deps, { ...request, from: request.from }, call)
  const sources = await readSources(deps, request.propertyId, call).catch(asBudgetExceeded)
  const from: IsoDate = chooseFirstDay(request.from, sources.timeZone, deps.clock.now())
  const dated = { ...request, from }
  const { calendar, rejection } = await (early ?? settleCalendar(deps, dated, call))
  if (rejection !== undefined) throw rejection
  if (calendar === undefined) {
    return { kind: 'none', document: calendarDocument(dated, MISSING_SECTION) }
  }
  if (!isStale(calendar, deps.clock.nowMs())) return serve(deps, calendar, calendar)
  return serve(deps, await readDerived(deps, calendar, STALE), calendar)
}

const STALE = markStale(['prices'])

interface SettledCalendar {
  readonly calendar?: CachedBytes
  /** Of the days or the hotel: the request cannot succeed without a change. */
  readonly rejection?: Error
}

/** Never rejects: it may run while the property is loaded, which decides first. */
async function settleCalendar(
  deps: HotelCalendarDeps,
  request: DatedCalendar,
  { deadline: whole, trace }: UpstreamCall,
): Promise<SettledCalendar> {
  using deadline = createDeadline(CALENDAR_MS, { parent: whole.signal })
  try {
    return { calendar: await loadCalendar(deps, request, { deadline, trace }) }
  } catch (error) {
    if (isProblem(error) && PROBLEMS[error.code].status < 500) return { rejection: error }
    deps.reportSection('calendar', error)
    return {}
  }
}

function isStale(calendar: CachedBytes, nowMs: number): boolean {
  return nowMs >= staleFromOf(calendar)
}

/** Prices of unknown age are stale. */
function staleFromOf({ facts }: CachedBytes): number {
  const { staleFromMs } = facts
  return typeof staleFromMs === 'number' ? staleFromMs : 0
}

function serve(
  { clock }: HotelCalendarDeps,
  bytes: CachedBytes,
  origin: CachedBytes,
): CachedCalendar {
  const maxAgeSeconds = maxAgeOf(origin, staleFromOf(origin), clock.nowMs())
  return { kind: 'cached', bytes, origin, maxAgeSeconds }
}
