import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import { type ReportSection, type Section, settleSections } from '@melmastoon/chassis/upstream'
import type { IsoDate } from '@melmastoon/domain'
import type { FolioSummary } from '@melmastoon/upstream-contracts/billing'
import type { StaffStay, StayView } from '@melmastoon/upstream-contracts/reservation'
import type { FieldGroup } from '../access/field-table.ts'
import type { PropertyKey } from '../properties/read-hotel-day.ts'
import type { StoredBoard } from './board-content.ts'
import type { BoardName } from './board-key.ts'
import type { BoardRights } from './board-rights.ts'
import type { BoardRow } from './board-rows.ts'
import {
  type DayView,
  readFolios,
  readKeys,
  readRooms,
  readStays,
  readWorkOrders,
  type Source,
  type SourceDeps,
} from './board-sources.ts'
import { composeRooms } from './compose-rooms.ts'
import { composeStays } from './compose-stays.ts'
import { composeToday } from './compose-today.ts'
import { composeWorkOrders } from './compose-work-orders.ts'

export interface ComposeDeps extends SourceDeps {
  readonly clock: Clock
  readonly reportSection: ReportSection
}

export interface BoardWanted extends PropertyKey {
  readonly board: BoardName
  readonly date: IsoDate
  readonly checkOutTime: string
  readonly rights: BoardRights
}

type Sources = Readonly<Record<string, Section<Source<unknown>>>>

/** @throws Problem when the main list of the board can neither be read nor is cached. */
export async function composeBoard(
  deps: ComposeDeps,
  wanted: BoardWanted,
  call: UpstreamCall,
): Promise<StoredBoard> {
  switch (wanted.board) {
    case 'today':
      return await composeTodayBoard(deps, wanted, call)
    case 'housekeeping':
      return await composeRoomBoard(deps, wanted, call)
    case 'maintenance': {
      const orders = await readWorkOrders(deps, wanted, call)
      const rows = composeWorkOrders(orders.items, wanted.rights)
      return finish(deps, wanted, { rows, main: [orders], others: {} })
    }
    case 'arrivals':
    case 'departures':
    case 'in_house':
      return await composeStayBoard(deps, { ...wanted, view: wanted.board }, call)
  }
}

async function composeStayBoard(
  deps: ComposeDeps,
  wanted: BoardWanted & { readonly view: StayView },
  call: UpstreamCall,
): Promise<StoredBoard> {
  const stays = readStays(deps, wanted, call)
  const settled = settleSections(
    {
      housekeeping: readRooms(deps, wanted, call),
      billing: foliosOf(deps, { ...wanted, stays }, call),
      lock: ifSeen('keys', wanted, () => readKeys(deps, wanted, call)),
    },
    deps.reportSection,
  )
  const main = await stays
  const others = await settled
  const parts = {
    stays: main.items,
    rooms: others.housekeeping.value?.items,
    folios: others.billing.value?.items,
    keys: others.lock.value?.items,
    date: wanted.date,
    checkOutTime: wanted.checkOutTime,
  }
  return finish(deps, wanted, { rows: composeStays(parts, wanted.rights), main: [main], others })
}

const NOT_READ = { items: [], ageMs: 0, source: 'cache' } as const

/** What the viewer does not see is not read: its upstream cannot be missing either. */
async function ifSeen<T>(
  group: FieldGroup,
  { rights }: Pick<BoardWanted, 'rights'>,
  read: () => Promise<Source<T>>,
): Promise<Source<T>> {
  return rights.sees(group) ? await read() : NOT_READ
}

async function foliosOf(
  deps: ComposeDeps,
  wanted: BoardWanted & DayView & { readonly stays: Promise<Source<StaffStay>> },
  call: UpstreamCall,
): Promise<Source<FolioSummary>> {
  // Without stays there are no folios to read, which is not a fault of their upstream.
  const stays = await wanted.stays.catch(() => NOT_READ)
  if (stays.items.length === 0) return NOT_READ
  const read = () => readFolios(deps, { ...wanted, stays: stays.items }, call)
  return await ifSeen('money', wanted, read)
}

async function composeRoomBoard(
  deps: ComposeDeps,
  wanted: BoardWanted,
  call: UpstreamCall,
): Promise<StoredBoard> {
  const settled = settleSections(
    { reservation: readStays(deps, { ...wanted, view: 'arrivals' }, call) },
    deps.reportSection,
  )
  const rooms = await readRooms(deps, wanted, call)
  const others = await settled
  const rows = composeRooms(rooms.items, others.reservation.value?.items, wanted.rights)
  return finish(deps, wanted, { rows, main: [rooms], others })
}

async function composeTodayBoard(
  deps: ComposeDeps,
  wanted: BoardWanted,
  call: UpstreamCall,
): Promise<StoredBoard> {
  const ofView = (view: StayView) => readStays(deps, { ...wanted, view }, call)
  const departures = ofView('departures')
  const others = await settleSections(
    {
      reservation: ofView('arrivals'),
      departures,
      inHouse: ofView('in_house'),
      housekeeping: readRooms(deps, wanted, call),
      maintenance: readWorkOrders(deps, wanted, call),
      billing: foliosOf(deps, { ...wanted, view: 'departures', stays: departures }, call),
    },
    deps.reportSection,
  )
  const parts = {
    arrivals: others.reservation.value?.items,
    departures: others.departures.value?.items,
    inHouse: others.inHouse.value?.items,
    rooms: others.housekeeping.value?.items,
    workOrders: others.maintenance.value?.items,
    folios: wanted.rights.sees('money') ? others.billing.value?.items : undefined,
  }
  return finish(deps, wanted, { rows: composeToday(parts, wanted.rights), main: [], others })
}

interface Composed {
  readonly rows: readonly BoardRow[]
  readonly main: readonly Source<unknown>[]
  readonly others: Sources
}

/** Lists that are not named after their upstream. */
const UPSTREAM_OF_LIST: Readonly<Record<string, string>> = {
  departures: 'reservation',
  inHouse: 'reservation',
}

function finish(
  { clock }: ComposeDeps,
  { date }: BoardWanted,
  { rows, main, others }: Composed,
): StoredBoard {
  const sections = Object.entries(others)
  const missing = sections.filter(([, { status }]) => status !== 'ok')
  const present = [...main, ...sections.flatMap(([, { value }]) => (value ? [value] : []))]
  const ageMs = Math.max(0, ...present.map((source) => source.ageMs))
  return {
    businessDate: date,
    asOf: new Date(clock.nowMs() - ageMs).toISOString(),
    degraded: [...new Set(missing.map(([name]) => UPSTREAM_OF_LIST[name] ?? name))],
    isStale: present.some(({ source }) => source === 'stale'),
    isLive: present.some(({ source }) => source === 'live'),
    rows,
  }
}
