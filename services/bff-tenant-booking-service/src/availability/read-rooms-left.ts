import type { Section } from '@melmastoon/bff/sections'
import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { nightsBetween, problem, type RoomTypeId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import {
  type AvailabilityCaches,
  type AvailabilityRequest,
  nightTags,
  stayDimension,
} from './availability-caches.ts'

export interface RoomsLeftDeps extends Pick<AvailabilityCaches, 'roomsLeft'> {
  readonly upstreams: { readonly inventory: ClientOf<typeof inventoryContract> }
}

export interface ReadRoomsLeft {
  /** Rooms available in every night of the stay, by room type. */
  readonly byRoomType: ReadonlyMap<RoomTypeId, number>
  readonly section: Section
}

type StayRequest = Pick<AvailabilityRequest, 'tenantId' | 'propertyId' | 'stay'>

/** @throws Problem when nothing is cached and inventory does not respond in time (F-3). */
export async function readRoomsLeft(
  deps: RoomsLeftDeps,
  request: StayRequest,
  { deadline, trace }: UpstreamCall,
): Promise<ReadRoomsLeft> {
  const { tenantId, propertyId, stay } = request
  const entry = await deps.roomsLeft.get({
    dims: { tenantId, propertyId, stay: stayDimension(stay) },
    tags: nightTags(request, stay),
    deadline,
    load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
  })
  const rooms = JSON.parse(entry.body.toString()) as [RoomTypeId, number][]
  const status = entry.state === 'stale' ? 'stale' : 'fresh'
  return { byRoomType: new Map(rooms), section: { status, ageMs: Math.round(entry.ageMs) } }
}

async function load(
  { upstreams }: RoomsLeftDeps,
  { tenantId, propertyId, stay }: StayRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const query = { propertyId, from: stay.checkIn, to: stay.checkOut }
  const response = await upstreams.inventory.availability({ query }, { ...call, tenantId })
  if (response.propertyId !== propertyId) {
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  }
  const nights = nightsBetween(stay)
  return {
    body: JSON.stringify(response.roomTypes.map((type) => [type.roomTypeId, left(type, nights)])),
  }
}

/** Missing nights say nothing about the whole stay: the response is invalid. */
function left(
  { nights }: OutputOf<typeof inventoryContract.operations.availability>['roomTypes'][number],
  count: number,
): number {
  const distinct = new Set(nights.map(({ night }) => night))
  if (distinct.size !== count) throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
  return Math.min(...nights.map(({ available }) => available))
}
