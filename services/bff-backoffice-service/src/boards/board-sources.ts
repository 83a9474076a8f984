import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { Id, IsoDate, ReservationId } from '@melmastoon/domain'
import type { billingContract, FolioSummary } from '@melmastoon/upstream-contracts/billing'
import type {
  HousekeepingRoom,
  housekeepingContract,
} from '@melmastoon/upstream-contracts/housekeeping'
import type { KeyCredential, lockContract } from '@melmastoon/upstream-contracts/lock'
import type { maintenanceContract, WorkOrder } from '@melmastoon/upstream-contracts/maintenance'
import type {
  reservationContract,
  StaffStay,
  StayView,
} from '@melmastoon/upstream-contracts/reservation'
import type { PropertyKey } from '../properties/read-hotel-day.ts'
import { sourceTag } from './board-key.ts'
import { parseList, storeList } from './parsed-lists.ts'
import { sharedRead } from './shared-read.ts'

export interface BoardUpstreams {
  readonly reservation: ClientOf<typeof reservationContract>
  readonly housekeeping: ClientOf<typeof housekeepingContract>
  readonly maintenance: ClientOf<typeof maintenanceContract>
  readonly billing: ClientOf<typeof billingContract>
  readonly lock: ClientOf<typeof lockContract>
}

type PropertyDimension = 'tenantId' | 'propertyId'

export interface SourceCaches {
  readonly stays: DefinedCache<PropertyDimension | 'view' | 'date'>
  readonly folios: DefinedCache<PropertyDimension | 'view' | 'date'>
  readonly rooms: DefinedCache<PropertyDimension>
  readonly workOrders: DefinedCache<PropertyDimension>
  readonly roomKeys: DefinedCache<PropertyDimension>
}

export interface SourceDeps extends SourceCaches {
  readonly upstreams: BoardUpstreams
}

/** As long as a board (the key schema §3.2). */
const FRESH_MS = 15_000
/** While an upstream does not respond, a board is better old than empty. */
const STALE_IF_ERROR_MS = 5 * 60_000
const PAGE_ROWS = 200
/** A hotel with more rows than this sees the first ones; the largest of the platform has 600. */
const PAGES_MAX = 5

export function defineSourceCaches(
  cache: Cache,
  timeouts: Readonly<Record<keyof BoardUpstreams, number>>,
): SourceCaches {
  const property = ['tenantId', 'propertyId'] as const
  const policy = (timeoutMs: number) => ({
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    jitter: 0,
    loadTimeoutMs: timeoutMs * PAGES_MAX,
    isSent: false,
  })
  const byDay = [...property, 'view', 'date'] as const
  return {
    stays: cache.define({ name: 'stays', dimensions: byDay, ...policy(timeouts.reservation) }),
    folios: cache.define({ name: 'folios', dimensions: byDay, ...policy(timeouts.billing) }),
    rooms: cache.define({ name: 'rooms', dimensions: property, ...policy(timeouts.housekeeping) }),
    workOrders: cache.define({
      name: 'work-orders',
      dimensions: property,
      ...policy(timeouts.maintenance),
    }),
    roomKeys: cache.define({ name: 'room-keys', dimensions: property, ...policy(timeouts.lock) }),
  }
}

/** A list of an upstream, and how old it is. */
export interface Source<T> {
  readonly items: readonly T[]
  readonly ageMs: number
  /** `stale`: older than usual, because the upstream does not respond. */
  readonly source: 'live' | 'cache' | 'stale'
}

interface Page<T, C> {
  readonly items: readonly T[]
  readonly next: C | null | undefined
}

async function readPages<T, C>(
  read: (position: { readonly cursor?: C }) => Promise<Page<T, C>>,
): Promise<T[]> {
  const all: T[] = []
  let position: { readonly cursor?: C } = {}
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next } = await read(position)
    all.push(...items)
    if (next === null || next === undefined) break
    position = { cursor: next }
  }
  return all
}

const SOURCE_OF_STATE = { hit: 'cache', stale: 'stale', miss: 'live', bypass: 'live' } as const

/** Serves one list from its cache, or loads all of its pages. */
async function readList<T, D extends string>(
  cache: DefinedCache<D>,
  request: {
    readonly dims: Readonly<Record<D, string>>
    readonly tags: readonly string[]
    readonly deadline: Deadline
    readonly load: (deadline: Deadline) => Promise<readonly T[]>
  },
): Promise<Source<T>> {
  const entry = await sharedRead(cache, {
    ...request,
    load: async (deadline) => ({ body: storeList(await request.load(deadline)) }),
  })
  const items = parseList<T>(entry.body)
  return { items, ageMs: Math.round(entry.ageMs), source: SOURCE_OF_STATE[entry.state] }
}

export interface DayView extends PropertyKey {
  readonly view: StayView
  readonly date: IsoDate
}

export function readStays(
  { stays, upstreams }: Pick<SourceDeps, 'stays' | 'upstreams'>,
  { tenantId, propertyId, view, date }: DayView,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<Source<StaffStay>> {
  return readList(stays, {
    dims: { tenantId, propertyId, view, date },
    tags: [sourceTag({ tenantId, propertyId }, 'stays')],
    deadline: requestDeadline,
    load: (deadline) =>
      readPages<StaffStay, ReservationId>(async (position) => {
        const page = await upstreams.reservation.listForDay(
          {
            params: { propertyId },
            query: { view, date, limit: PAGE_ROWS, ...position },
          },
          { tenantId, deadline, trace },
        )
        return { items: page.stays, next: page.nextCursor }
      }),
  })
}

/** The folios of the stays of a view; those without a folio are missing. */
export function readFolios(
  { folios, upstreams }: Pick<SourceDeps, 'folios' | 'upstreams'>,
  { tenantId, propertyId, view, date, stays }: DayView & { readonly stays: readonly StaffStay[] },
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<Source<FolioSummary>> {
  const chunks = Array.from({ length: Math.ceil(stays.length / PAGE_ROWS) }, (_, at) =>
    stays.slice(at * PAGE_ROWS, (at + 1) * PAGE_ROWS).map((stay) => stay.reservationId),
  )
  return readList(folios, {
    dims: { tenantId, propertyId, view, date },
    // Its stays are part of the request.
    tags: (['folios', 'stays'] as const).map((name) => sourceTag({ tenantId, propertyId }, name)),
    deadline: requestDeadline,
    load: async (deadline) => {
      const pages = await Promise.all(
        chunks.map((ids) =>
          upstreams.billing.listFolios(
            { params: { propertyId }, query: { reservationIds: ids.join(',') } },
            { tenantId, deadline, trace },
          ),
        ),
      )
      return pages.flatMap((page) => page.folios)
    },
  })
}

export function readRooms(
  { rooms, upstreams }: Pick<SourceDeps, 'rooms' | 'upstreams'>,
  { tenantId, propertyId }: PropertyKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<Source<HousekeepingRoom>> {
  return readList(rooms, {
    dims: { tenantId, propertyId },
    tags: [sourceTag({ tenantId, propertyId }, 'rooms')],
    deadline: requestDeadline,
    load: async (deadline) => {
      const input = { params: { propertyId } }
      return (await upstreams.housekeeping.listRooms(input, { tenantId, deadline, trace })).rooms
    },
  })
}

export function readWorkOrders(
  { workOrders, upstreams }: Pick<SourceDeps, 'workOrders' | 'upstreams'>,
  { tenantId, propertyId }: PropertyKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<Source<WorkOrder>> {
  return readList(workOrders, {
    dims: { tenantId, propertyId },
    tags: [sourceTag({ tenantId, propertyId }, 'work-orders')],
    deadline: requestDeadline,
    load: (deadline) =>
      readPages<WorkOrder, Id<'mnt'>>(async (position) => {
        const page = await upstreams.maintenance.listWorkOrders(
          {
            params: { propertyId },
            query: { active: true, limit: PAGE_ROWS, ...position },
          },
          { tenantId, deadline, trace },
        )
        return { items: page.workOrders, next: page.nextCursor }
      }),
  })
}

/** Keys that open a room, or soon will. */
const LIVE_KEYS = ['active', 'pending'] as const

export function readKeys(
  { roomKeys, upstreams }: Pick<SourceDeps, 'roomKeys' | 'upstreams'>,
  { tenantId, propertyId }: PropertyKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<Source<KeyCredential>> {
  const ofState = (state: (typeof LIVE_KEYS)[number], deadline: Deadline) =>
    readPages<KeyCredential, string>(async (position) => {
      const page = await upstreams.lock.listCredentials(
        {
          params: { propertyId },
          query: { state, limit: PAGE_ROWS, ...position },
        },
        { tenantId, deadline, trace },
      )
      return { items: page.credentials, next: page.nextCursor }
    })
  return readList(roomKeys, {
    dims: { tenantId, propertyId },
    tags: [sourceTag({ tenantId, propertyId }, 'keys')],
    deadline: requestDeadline,
    load: async (deadline) =>
      (await Promise.all(LIVE_KEYS.map((state) => ofState(state, deadline)))).flat(),
  })
}
