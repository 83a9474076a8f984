import { setTimeout as delay } from 'node:timers/promises'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  type LoadResult,
  withinDeadline,
} from '@melmastoon/chassis/cache'
import { type Clock, createDeadline } from '@melmastoon/chassis/clock'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { type IsoDate, isProblem, newId, type PropertyId } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'
import { alertsTag } from '../alerts/alert-inbox.ts'
import { audienceOf, type BoardSource, sourceTag } from '../boards/board-key.ts'
import type { ReadMetrics } from '../boards/read-metrics.ts'
import { sharedRead } from '../boards/shared-read.ts'
import { type HotelDayDeps, peekHotelDay, readHotelDay } from '../properties/read-hotel-day.ts'
import { suggestionsTag } from '../suggestions/suggestion-inbox.ts'
import { isVisible, WIDGET_SOURCES, WIDGETS, type WidgetName } from './widget.ts'
import { isUndated, READ_DATED, READ_UNDATED } from './widget-data.ts'
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

/** One entry per widget: a snapshot never contains a widget that was late or failed. */
export function defineDashboards(cache: Cache, loadTimeoutMs: number): DashboardCache {
  return cache.define({
    name: 'dashboard',
    dimensions: ['tenantId', 'propertyId', 'widget', 'date', 'audience'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    loadTimeoutMs,
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

export interface WidgetJson {
  readonly text: string
  /** It has data, or the role does not see it. */
  readonly hasData: boolean
  /** The data is also up to date. */
  readonly isComplete: boolean
}

/** How long the first line waits for the date: it should arrive within 200 ms. */
const DATE_MS = 150

/** Starts all widgets at once; each has its own deadline, so that a slow one delays only itself. */
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
  const request = { operator, propertyId, date }
  return {
    snapshotId: newId('dsh'),
    propertyId,
    businessDate,
    widgets: WIDGETS.map((id) => ({ id, json: readWidget(deps, { ...request, id }, call) })),
  }
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
}

async function readWidget(
  deps: DashboardDeps,
  wanted: WantedWidget,
  call: UpstreamCall,
): Promise<WidgetJson> {
  const { id, operator } = wanted
  if (!isVisible(id, operator)) return withoutData(id, 'hidden', null)
  try {
    const entry = peekEntry(deps, wanted) ?? (await readEntry(deps, wanted, call))
    deps.readMetrics.onRead('widget', entry.state !== 'hit' && entry.facts['isLive'] === true)
    return describeEntry(deps, id, entry)
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
  wanted: WantedWidget,
): CachedBytes | undefined {
  const date = isUndated(wanted.id) ? '' : wanted.date
  if (typeof date !== 'string') return undefined
  const { dims, tags } = addressOf(wanted, date)
  return dashboards.peek(dims, tags)
}

function addressOf({ id, operator, propertyId }: Omit<WantedWidget, 'date'>, date: string) {
  const { tenantId } = operator
  const audience = audienceOf(operator, id === 'maintenance' ? 'maintenance' : 'today')
  return {
    dims: { tenantId, propertyId, widget: id, date, audience },
    tags: WIDGET_TAGS[id]({ tenantId, propertyId }),
  }
}

async function readEntry(
  deps: DashboardDeps,
  wanted: WantedWidget,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { id, operator, propertyId, date: knownLater } = wanted
  const { tenantId } = operator
  const waitMs = Math.min(deps.widgetMs, requestDeadline.remainingMs())
  using deadline = createDeadline(waitMs, { parent: requestDeadline.signal })
  const request = { tenantId, propertyId, viewer: operator }
  const { date, read } = await readerOf(id, () =>
    withinDeadline(Promise.resolve(knownLater), deadline),
  )
  return await sharedRead(deps.dashboards, {
    ...addressOf(wanted, date),
    deadline,
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
  dateOf: () => Promise<IsoDate>,
): Promise<{ readonly date: string; readonly read: ReadWidget<WidgetRequest> }> {
  if (isUndated(id)) return { date: '', read: READ_UNDATED[id] }
  const date = await dateOf()
  return {
    date,
    read: (deps, request, call) => READ_DATED[id](deps, { ...request, date }, call),
  }
}

type TagsOf = (key: Pick<WidgetRequest, 'tenantId' | 'propertyId'>) => readonly string[]

const ofLists =
  (...lists: readonly BoardSource[]): TagsOf =>
  (key) =>
    lists.map((source) => sourceTag(key, source))

/** A change invalidates the widgets that show it, and no others. */
const WIDGET_TAGS: Readonly<Record<WidgetName, TagsOf>> = {
  arrivals: ofLists('stays'),
  departures: ofLists('stays'),
  occupancy: ofLists('stays'),
  housekeeping: ofLists('rooms'),
  maintenance: ofLists('work-orders'),
  balances: ofLists('stays', 'folios'),
  alerts: ({ propertyId }) => [alertsTag(propertyId)],
  suggestions: ({ propertyId }) => [suggestionsTag(propertyId)],
  rates: ({ tenantId, propertyId }) => [`rates:${tenantId}:${propertyId}`],
}

function describeEntry({ clock }: DashboardDeps, id: WidgetName, entry: CachedBytes): WidgetJson {
  const nowMs = clock.nowMs()
  const { asOfMs = nowMs - entry.ageMs } = entry.facts
  const source = sourceOf(entry)
  const head = {
    id,
    status: source === 'stale' ? 'stale' : 'ok',
    asOf: new Date(Number(asOfMs)).toISOString(),
    ageMs: Math.max(0, Math.round(nowMs - Number(asOfMs))),
    source,
    upstream: WIDGET_SOURCES[id].upstream,
    problem: null,
  }
  // The data is valid JSON already.
  return {
    text: `${JSON.stringify(head).slice(0, -1)},"data":${textOf(entry)}}`,
    hasData: true,
    isComplete: source !== 'stale',
  }
}

const texts = new WeakMap<Buffer, string>()

/** Decoded once for each entry of this process. */
function textOf({ body }: CachedBytes): string {
  const text = texts.get(body) ?? body.toString()
  texts.set(body, text)
  return text
}

/** That of the oldest: the entry, or a list that its data was made of. */
function sourceOf({ state, facts }: CachedBytes): WidgetReading['source'] {
  if (state === 'stale' || facts['source'] === 'stale') return 'stale'
  return state === 'hit' || facts['source'] === 'cache' ? 'cache' : 'live'
}

function withoutData(
  id: WidgetName,
  status: 'hidden' | 'late' | 'failed',
  code: string | null,
): WidgetJson {
  const { upstream } = WIDGET_SOURCES[id]
  const problem = code === null ? null : { code }
  const nothing = { asOf: null, ageMs: null, source: 'none', data: null }
  const text = JSON.stringify({ id, status, upstream, problem, ...nothing })
  const isHidden = status === 'hidden'
  return { text, hasData: isHidden, isComplete: isHidden }
}
