import { setTimeout as delay } from 'node:timers/promises'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  type LoadResult,
  withinDeadline,
} from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { type IsoDate, isProblem, newId, type PropertyId, problem } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'
import type { ReadMetrics } from '../boards/read-metrics.ts'
import { sharedRead } from '../boards/shared-read.ts'
import { type HotelDayDeps, peekHotelDay, readHotelDay } from '../properties/read-hotel-day.ts'
import { WIDGETS, type WidgetName } from './widget.ts'
import { addressesOf, type WidgetAddresses } from './widget-address.ts'
import { isComposed, isUndated, READ_DATED, READ_UNDATED } from './widget-data.ts'
import { describeEntry, type WidgetJson, withoutData } from './widget-json.ts'
import { WidgetLimit } from './widget-limit.ts'
import type { ReadWidget, WidgetDeps, WidgetReading, WidgetRequest } from './widget-reading.ts'

export type DashboardCache = DefinedCache<
  'tenantId' | 'propertyId' | 'widget' | 'date' | 'audience'
>

export interface DashboardDeps extends WidgetDeps, HotelDayDeps {
  readonly upstreams: WidgetDeps['upstreams'] & HotelDayDeps['upstreams']
  readonly dashboards: DashboardCache
  readonly clock: Clock
  readonly reportSection: ReportSection
  readonly readMetrics: ReadMetrics
  /** How long the response waits for a widget. */
  readonly widgetMs: number
}

/** The lifetime of a snapshot (the key schema §3.2). */
const FRESH_MS = 30_000
/** Data of a list that is stale is read again soon. */
const STALE_FRESH_MS = 2_000
/** While an upstream does not respond, its widget is shown with its age. */
const STALE_IF_ERROR_MS = 5 * 60_000

/**
 * One entry per widget: a snapshot never contains a widget that was late or failed. Those that are
 * composed of lists are kept by each process, the others are shared.
 */
export function defineDashboards(cache: Cache, loadTimeoutMs: number): DashboardCache {
  return cache.define({
    name: 'dashboard',
    dimensions: ['tenantId', 'propertyId', 'widget', 'date', 'audience'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    loadTimeoutMs,
    isSent: false,
  })
}

export interface DashboardRequest {
  readonly operator: Operator
  readonly propertyId: PropertyId
}

/** What is known before any upstream of a widget has responded. */
export interface DashboardPlan {
  readonly snapshotId: string
  readonly propertyId: PropertyId
  /** Null: the property service, which knows the time zone, has not responded. */
  readonly businessDate: IsoDate | null
  /** The JSON of each widget, as soon as it is known; none of them rejects. */
  readonly widgets: readonly { readonly id: WidgetName; readonly json: Promise<WidgetJson> }[]
}

/** How long the first line waits for the date: it should arrive within 200 ms. */
const DATE_MS = 150

/** Starts all widgets at once; each ends by itself, so that a slow one delays only itself. */
export async function planDashboard(
  deps: DashboardDeps,
  { operator, propertyId }: DashboardRequest,
  call: UpstreamCall,
): Promise<DashboardPlan> {
  const { tenantId } = operator
  const known = peekHotelDay(deps, { tenantId, propertyId })?.today
  const date =
    known ?? readHotelDay(deps, { tenantId, propertyId }, call).then(({ today }) => today)
  const businessDate = typeof date === 'string' ? date : await dateForSkeleton(operator, date)
  const undated = addressesOf(operator, propertyId, '')
  const dated = typeof date === 'string' ? addressesOf(operator, propertyId, date) : null
  const limit = new WidgetLimit(deps.widgetMs, call)
  const request = { operator, propertyId, date, undated, dated, limit }
  const widgets = WIDGETS.map((id) => ({
    id,
    json: readWidget(deps, { ...request, id }, call),
  }))
  limit.endAfter(widgets.map(({ json }) => json))
  return { snapshotId: newId('dsh'), propertyId, businessDate, widgets }
}

/**
 * For an operator of all properties only the property service can decide whether this is one of the
 * tenant's: without its response there is no dashboard. Others have a list of theirs.
 * @throws Problem RESOURCE_NOT_FOUND; for operators of all properties that of the property service
 */
async function dateForSkeleton(
  { properties }: Pick<Operator, 'properties'>,
  date: Promise<IsoDate>,
): Promise<IsoDate | null> {
  if (properties === '*') return await date
  const timer = new AbortController()
  const waited = delay(DATE_MS, null, { signal: timer.signal })
  try {
    return await Promise.race([date, waited])
  } catch (error) {
    if (isProblem(error) && error.code === 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND') throw error
    return null
  } finally {
    waited.catch(() => undefined)
    timer.abort()
  }
}

interface WantedWidget {
  readonly id: WidgetName
  readonly operator: Operator
  readonly propertyId: PropertyId
  /** A promise unless this process knows it. */
  readonly date: IsoDate | Promise<IsoDate>
  readonly undated: WidgetAddresses
  /** Null unless this process knows the date. */
  readonly dated: WidgetAddresses | null
  readonly limit: WidgetLimit
}

async function readWidget(
  deps: DashboardDeps,
  wanted: WantedWidget,
  call: UpstreamCall,
): Promise<WidgetJson> {
  const { id, undated } = wanted
  if (undated[id] === undefined) return withoutData(id, 'hidden', null)
  try {
    const entry = peekEntry(deps, wanted) ?? (await readEntry(deps, wanted, call))
    deps.readMetrics.onRead('widget', entry.state !== 'hit' && entry.facts['isLive'] === true)
    return describeEntry(id, entry, deps.clock.nowMs())
  } catch (error) {
    deps.reportSection(id, error)
    const code = isProblem(error) ? error.code : 'MELMASTOON.GENERAL.INTERNAL'
    return withoutData(id, LATE.has(code) ? 'late' : 'failed', code)
  }
}

const LATE: ReadonlySet<string> = new Set([
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
  'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
])

/** Synchronous: undefined unless this process has it fresh. */
function peekEntry(
  { dashboards }: Pick<DashboardDeps, 'dashboards'>,
  { id, undated, dated }: WantedWidget,
): CachedBytes | undefined {
  const address = (isUndated(id) ? undated : dated)?.[id]
  return address === undefined ? undefined : dashboards.peek(address.dims, address.tags)
}

async function readEntry(
  deps: DashboardDeps,
  { id, operator, propertyId, date: knownLater, limit }: WantedWidget,
  { trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { tenantId } = operator
  const { deadline } = limit
  const request = { tenantId, propertyId, viewer: operator }
  const { date, read } = await readerOf(id, () =>
    typeof knownLater === 'string' ? knownLater : withinDeadline(knownLater, deadline),
  )
  const address = addressesOf(operator, propertyId, date)[id]
  if (address === undefined) throw problem('MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN')
  return await sharedRead(deps.dashboards, {
    ...address,
    deadline,
    isShared: !isComposed(id),
    load: (loadDeadline) =>
      loadWidget(deps, () => read(deps, request, { deadline: loadDeadline, trace })),
  })
}

/** The entry is younger than its data: lists come from caches of their own. */
async function loadWidget(
  { clock }: Pick<DashboardDeps, 'clock'>,
  read: () => Promise<WidgetReading>,
): Promise<LoadResult> {
  const startedMs = clock.nowMs()
  const { data, ageMs, source, isLive } = await read()
  const asOfMs = Math.min(startedMs, clock.nowMs() - ageMs)
  const result = { body: JSON.stringify(data), facts: { asOfMs, source, isLive } }
  return source === 'stale' ? { ...result, freshForMs: STALE_FRESH_MS } : result
}

/** Only widgets of a date wait for it. */
async function readerOf(
  id: WidgetName,
  dateOf: () => IsoDate | Promise<IsoDate>,
): Promise<{ readonly date: string; readonly read: ReadWidget<WidgetRequest> }> {
  if (isUndated(id)) return { date: '', read: READ_UNDATED[id] }
  const date = await dateOf()
  return {
    date,
    read: (deps, request, call) => READ_DATED[id](deps, { ...request, date }, call),
  }
}
