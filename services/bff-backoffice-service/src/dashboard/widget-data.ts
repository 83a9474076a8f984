import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { addDays } from '@melmastoon/domain'
import { boardClassOf } from '../access/operator.ts'
import { concerns } from '../alerts/alert-view.ts'
import { type DayView, readRooms, readStays, readWorkOrders } from '../boards/board-sources.ts'
import { composeToday } from '../boards/compose-today.ts'
import { readBalances, readRates } from './money-widgets.ts'
import type { WidgetName } from './widget.ts'
import {
  type DatedRequest,
  liveReading,
  type ReadWidget,
  readingOf,
  type WidgetDeps,
  type WidgetReading,
  type WidgetRequest,
} from './widget-reading.ts'

const LIST_MAX = 10
/** Of which those for the roles of the operator are shown. */
const ALERTS_READ = 200
const OCCUPANCY_NIGHTS = 14

type UndatedWidget = 'housekeeping' | 'maintenance' | 'alerts' | 'suggestions'

/** What each widget shows: counts, and the few rows that need attention. */
export const READ_DATED: Readonly<
  Record<Exclude<WidgetName, UndatedWidget>, ReadWidget<DatedRequest>>
> = {
  arrivals: (deps, request, call) => countStays(deps, { ...request, view: 'arrivals' }, call),
  departures: (deps, request, call) => countStays(deps, { ...request, view: 'departures' }, call),
  occupancy: readOccupancy,
  balances: readBalances,
  rates: readRates,
}

/** These show what is, whatever the date: they need no response of the property service. */
export const READ_UNDATED: Readonly<Record<UndatedWidget, ReadWidget<WidgetRequest>>> = {
  housekeeping: async (deps, request, call) => {
    const rooms = await readRooms(deps, request, call)
    const tiles = composeToday({ ...NOTHING, rooms: rooms.items }, request.viewer)
    return readingOf(countsOf(tiles), [rooms])
  },
  maintenance: async (deps, request, call) => {
    const orders = await readWorkOrders(deps, request, call)
    const tiles = composeToday({ ...NOTHING, workOrders: orders.items }, request.viewer)
    return readingOf(countsOf(tiles), [orders])
  },
  alerts: readAlerts,
  suggestions: readSuggestions,
}

export function isUndated(id: WidgetName): id is UndatedWidget {
  return id in READ_UNDATED
}

const NOTHING = {
  arrivals: undefined,
  departures: undefined,
  inHouse: undefined,
  rooms: undefined,
  workOrders: undefined,
  folios: undefined,
}

function countsOf([tile]: ReturnType<typeof composeToday>): WidgetReading['data'] {
  return { counts: tile?.counts ?? {} }
}

async function countStays(
  deps: WidgetDeps,
  request: DatedRequest & DayView,
  call: UpstreamCall,
): Promise<WidgetReading> {
  const stays = await readStays(deps, request, call)
  const parts =
    request.view === 'arrivals'
      ? { ...NOTHING, arrivals: stays.items }
      : { ...NOTHING, departures: stays.items }
  return readingOf(countsOf(composeToday(parts, request.viewer)), [stays])
}

async function readOccupancy(
  { upstreams }: WidgetDeps,
  { tenantId, propertyId, date }: DatedRequest,
  call: UpstreamCall,
): Promise<WidgetReading> {
  const { nights } = await upstreams.reservation.occupancy(
    { params: { propertyId }, query: { from: date, to: addDays(date, OCCUPANCY_NIGHTS) } },
    { ...call, tenantId },
  )
  return liveReading({ nights: nights.map(({ night, rooms, sold }) => ({ night, rooms, sold })) })
}

async function readAlerts(
  { upstreams }: WidgetDeps,
  { tenantId, propertyId, viewer }: WidgetRequest,
  call: UpstreamCall,
): Promise<WidgetReading> {
  const { alerts } = await upstreams.notification.listAlerts(
    { params: { propertyId }, query: { state: 'open', limit: ALERTS_READ } },
    { ...call, tenantId },
  )
  return liveReading({
    alerts: alerts
      .filter((alert) => concerns(viewer, alert))
      .slice(0, LIST_MAX)
      .map(({ alertId, category, severity, raisedAt, title }) => ({
        alertId,
        category,
        severity,
        raisedAt,
        title,
      })),
  })
}

async function readSuggestions(
  { upstreams }: WidgetDeps,
  { tenantId, propertyId, viewer }: WidgetRequest,
  call: UpstreamCall,
): Promise<WidgetReading> {
  const boardClass = boardClassOf(viewer)
  const { suggestions } = await upstreams.ai.listSuggestions(
    {
      params: { propertyId },
      query: {
        state: 'proposed',
        limit: LIST_MAX,
        // Managers see those of every class.
        ...(boardClass !== 'mgmt' && { class: boardClass }),
      },
    },
    { ...call, tenantId },
  )
  return liveReading({
    suggestions: suggestions.map(({ suggestionId, category, severity, title, provenance }) => ({
      suggestionId,
      category,
      severity,
      title,
      confidence: provenance.confidence,
      expiresAt: provenance.expiresAt,
    })),
  })
}
