import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import { addDays, type IsoDate, microToMinor } from '@melmastoon/domain'
import type { aiContract } from '@melmastoon/upstream-contracts/ai'
import type { notificationContract } from '@melmastoon/upstream-contracts/notification'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { boardClassOf, type Operator } from '../access/operator.ts'
import { concerns } from '../alerts/alert-view.ts'
import {
  type BoardUpstreams,
  type DayView,
  readFolios,
  readRooms,
  readStays,
  readWorkOrders,
  type SourceDeps,
} from '../boards/board-sources.ts'
import { composeToday } from '../boards/compose-today.ts'
import type { PropertyKey } from '../properties/read-hotel-day.ts'
import type { WidgetName } from './widget.ts'

export interface WidgetDeps extends SourceDeps {
  readonly upstreams: BoardUpstreams & {
    readonly notification: ClientOf<typeof notificationContract>
    readonly ai: ClientOf<typeof aiContract>
    readonly pricing: ClientOf<typeof pricingContract>
  }
}

export interface WidgetRequest extends PropertyKey {
  readonly viewer: Pick<Operator, 'roles' | 'isLead' | 'operatorId'>
}

/** Of widgets that show a day of the hotel. */
interface DatedRequest extends WidgetRequest {
  readonly date: IsoDate
}

type WidgetData = Readonly<Record<string, unknown>>

export type ReadWidget<R extends WidgetRequest> = (
  deps: WidgetDeps,
  request: R,
  call: UpstreamCall,
) => Promise<WidgetData>

const LIST_MAX = 10
/** Of which those for the roles of the operator are shown. */
const ALERTS_READ = 200
const OCCUPANCY_NIGHTS = 14
const RATE_NIGHTS = 14

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
    const { items: rooms } = await readRooms(deps, request, call)
    return countsOf(composeToday({ ...NOTHING, rooms }, request.viewer))
  },
  maintenance: async (deps, request, call) => {
    const { items: workOrders } = await readWorkOrders(deps, request, call)
    return countsOf(composeToday({ ...NOTHING, workOrders }, request.viewer))
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

function countsOf([tile]: ReturnType<typeof composeToday>): WidgetData {
  return { counts: tile?.counts ?? {} }
}

async function countStays(
  deps: WidgetDeps,
  request: DatedRequest & DayView,
  call: UpstreamCall,
): Promise<WidgetData> {
  const { items } = await readStays(deps, request, call)
  const parts =
    request.view === 'arrivals'
      ? { ...NOTHING, arrivals: items }
      : { ...NOTHING, departures: items }
  return countsOf(composeToday(parts, request.viewer))
}

async function readOccupancy(
  { upstreams }: WidgetDeps,
  { tenantId, propertyId, date }: DatedRequest,
  call: UpstreamCall,
): Promise<WidgetData> {
  const { nights } = await upstreams.reservation.occupancy(
    { params: { propertyId }, query: { from: date, to: addDays(date, OCCUPANCY_NIGHTS) } },
    { ...call, tenantId },
  )
  return { nights: nights.map(({ night, rooms, sold }) => ({ night, rooms, sold })) }
}

/** The guests who leave today and owe something, the largest amount first. */
async function readBalances(
  deps: WidgetDeps,
  request: DatedRequest,
  call: UpstreamCall,
): Promise<WidgetData> {
  const day = { ...request, view: 'departures' as const }
  const { items: stays } = await readStays(deps, day, call)
  const { items: folios } = await readFolios(deps, { ...day, stays }, call)
  const due = folios
    .filter(({ balance }) => BigInt(balance.amountMicro) > 0n)
    .toSorted((a, b) => Number(BigInt(b.balance.amountMicro) - BigInt(a.balance.amountMicro)))
  return {
    count: due.length,
    due: due.slice(0, LIST_MAX).map(({ folioId, reservationId, balance }) => ({
      folioId,
      reservationId,
      balance: microToMinor(balance.amountMicro, balance.currency),
    })),
  }
}

async function readAlerts(
  { upstreams }: WidgetDeps,
  { tenantId, propertyId, viewer }: WidgetRequest,
  call: UpstreamCall,
): Promise<WidgetData> {
  const { alerts } = await upstreams.notification.listAlerts(
    { params: { propertyId }, query: { state: 'open', limit: ALERTS_READ } },
    { ...call, tenantId },
  )
  return {
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
  }
}

async function readSuggestions(
  { upstreams }: WidgetDeps,
  { tenantId, propertyId, viewer }: WidgetRequest,
  call: UpstreamCall,
): Promise<WidgetData> {
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
  return {
    suggestions: suggestions.map(({ suggestionId, category, severity, title, provenance }) => ({
      suggestionId,
      category,
      severity,
      title,
      confidence: provenance.confidence,
      expiresAt: provenance.expiresAt,
    })),
  }
}

async function readRates(
  { upstreams }: WidgetDeps,
  { propertyId, date }: DatedRequest,
  call: UpstreamCall,
): Promise<WidgetData> {
  const { days } = await upstreams.pricing.calendar(
    { params: { propertyId }, query: { from: date, nights: RATE_NIGHTS, currency: 'USD' } },
    call,
  )
  return {
    days: days.map(({ date: day, cheapest }) => ({
      date: day,
      cheapest: cheapest ? microToMinor(cheapest.amountMicro, cheapest.currency) : null,
    })),
  }
}
