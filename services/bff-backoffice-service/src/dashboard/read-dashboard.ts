import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import { type Clock, createDeadline } from '@melmastoon/chassis/clock'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { type IsoDate, isProblem, newId, type PropertyId } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'
import { audienceOf, type BoardSource, sourceTag } from '../boards/board-key.ts'
import { sharedRead } from '../boards/shared-read.ts'
import { type HotelDayDeps, readHotelDay } from '../properties/read-hotel-day.ts'
import { isVisible, WIDGET_SOURCES, WIDGETS, type WidgetName } from './widget.ts'
import { READ_WIDGET, type WidgetDeps, type WidgetRequest } from './widget-data.ts'

export type DashboardCache = DefinedCache<
  'tenantId' | 'propertyId' | 'widget' | 'date' | 'audience'
>

export interface DashboardDeps extends WidgetDeps, HotelDayDeps {
  readonly upstreams: WidgetDeps['upstreams'] & HotelDayDeps['upstreams']
  readonly dashboards: DashboardCache
  readonly clock: Clock
  readonly reportSection: ReportSection
  /** How long the response waits for a widget. */
  readonly widgetMs: number
}

/** The lifetime of a snapshot (the key schema §3.2). */
const FRESH_MS = 30_000
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
  readonly businessDate: IsoDate
  /** The JSON of each widget, as soon as it is known; none of them rejects. */
  readonly widgets: readonly { readonly id: WidgetName; readonly json: Promise<WidgetJson> }[]
}

export interface WidgetJson {
  readonly text: string
  readonly isComplete: boolean
}

/** Starts all widgets at once; each has its own deadline, so that a slow one delays only itself. */
export async function planDashboard(
  deps: DashboardDeps,
  { operator, propertyId }: DashboardRequest,
  call: UpstreamCall,
): Promise<DashboardPlan> {
  const { tenantId } = operator
  const { today } = await readHotelDay(deps, { tenantId, propertyId }, call)
  const request = { tenantId, propertyId, date: today, viewer: operator }
  return {
    snapshotId: newId('dsh'),
    propertyId,
    businessDate: today,
    widgets: WIDGETS.map((id) => ({ id, json: readWidget(deps, { id, operator, request }, call) })),
  }
}

interface WantedWidget {
  readonly id: WidgetName
  readonly operator: Operator
  readonly request: WidgetRequest
}

async function readWidget(
  deps: DashboardDeps,
  { id, operator, request }: WantedWidget,
  call: UpstreamCall,
): Promise<WidgetJson> {
  if (!isVisible(id, operator)) return withoutData(id, 'hidden', null)
  try {
    return describeEntry(deps, id, await readEntry(deps, { id, operator, request }, call))
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

async function readEntry(
  deps: DashboardDeps,
  { id, operator, request }: WantedWidget,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { tenantId, propertyId, date } = request
  const audience = audienceOf(operator, id === 'maintenance' ? 'maintenance' : 'today')
  const waitMs = Math.min(deps.widgetMs, requestDeadline.remainingMs())
  using deadline = createDeadline(waitMs, { parent: requestDeadline.signal })
  return await sharedRead(deps.dashboards, {
    dims: { tenantId, propertyId, widget: id, date, audience },
    tags: widgetTags(id, { tenantId, propertyId }),
    deadline,
    load: async (loadDeadline) => {
      const data = await READ_WIDGET[id](deps, request, { deadline: loadDeadline, trace })
      return { body: JSON.stringify(data) }
    },
  })
}

/** A change invalidates the widgets that show it, and no others. */
const WIDGET_LISTS: Readonly<Record<WidgetName, readonly BoardSource[]>> = {
  arrivals: ['stays'],
  departures: ['stays'],
  occupancy: ['stays'],
  housekeeping: ['rooms'],
  maintenance: ['work-orders'],
  balances: ['stays', 'folios'],
  alerts: [],
  suggestions: [],
  rates: [],
}

function widgetTags(
  id: WidgetName,
  key: Pick<WidgetRequest, 'tenantId' | 'propertyId'>,
): readonly string[] {
  const lists = WIDGET_LISTS[id]
  return lists.length > 0 ? lists.map((source) => sourceTag(key, source)) : [widgetTag(key)]
}

/** Invalidates what is no list of a board: alerts, suggestions and rates. */
export function widgetTag({
  tenantId,
  propertyId,
}: Pick<WidgetRequest, 'tenantId' | 'propertyId'>): string {
  return `dashboard:${tenantId}:${propertyId}`
}

function describeEntry({ clock }: DashboardDeps, id: WidgetName, entry: CachedBytes): WidgetJson {
  const isStale = entry.state === 'stale'
  const ageMs = Math.round(entry.ageMs)
  const head = {
    id,
    status: isStale ? 'stale' : 'ok',
    asOf: new Date(clock.nowMs() - ageMs).toISOString(),
    ageMs,
    source: isStale ? 'stale' : entry.state === 'hit' ? 'cache' : 'live',
    upstream: WIDGET_SOURCES[id].upstream,
    problem: null,
  }
  // The data is valid JSON already.
  return {
    text: `${JSON.stringify(head).slice(0, -1)},"data":${entry.body.toString()}}`,
    isComplete: true,
  }
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
  return { text, isComplete: status === 'hidden' }
}
