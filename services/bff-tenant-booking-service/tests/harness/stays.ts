import { createDeadline } from '@melmastoon/chassis/clock'
import { addDays, newId, type StayDates, todayIn } from '@melmastoon/domain'
import type { UpstreamName } from '@melmastoon/upstream-contracts'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { type PropertyDetail, propertyContract } from '@melmastoon/upstream-contracts/property'
import { upstreamClient } from './platform.ts'
import type { Booking } from './start-booking.ts'

const CALL_MS = 10_000

/** A stay at the hotel, so many days after its own today. */
export function stayAt(
  { timeZone }: Pick<PropertyDetail, 'timeZone'>,
  { days, nights = 2 }: { readonly days: number; readonly nights?: number },
): StayDates {
  const checkIn = addDays(todayIn(timeZone, new Date()), days)
  return { checkIn, checkOut: addDays(checkIn, nights) }
}

/** Stays of two nights within three months that have so many rooms left, the first one first. */
export async function staysWithRooms(
  { sandbox }: Pick<Booking, 'sandbox'>,
  { tenantId, propertyId, timeZone }: PropertyDetail,
  { roomTypeId, rooms }: { readonly roomTypeId: string; readonly rooms: number },
): Promise<StayDates[]> {
  const client = upstreamClient(inventoryContract, sandbox.url)
  using deadline = createDeadline(CALL_MS)
  const { checkIn: from, checkOut: to } = stayAt({ timeZone }, { days: 3, nights: 90 })
  const query = { propertyId, from, to }
  const { roomTypes } = await client.availability({ query }, { deadline, tenantId })
  const { nights = [] } = roomTypes.find((type) => type.roomTypeId === roomTypeId) ?? {}
  return nights.flatMap(({ night, available }, at) => {
    const isFree = available >= rooms && (nights[at + 1]?.available ?? 0) >= rooms
    return isFree ? [{ checkIn: night, checkOut: addDays(night, 2) }] : []
  })
}

/** All hotels of a tenant, as the property service describes them. */
export async function hotelsOf({ sandbox, platform }: Booking, slug: string) {
  const { tenantId } = await platform.tenant(slug)
  const client = upstreamClient(propertyContract, sandbox.url)
  using deadline = createDeadline(CALL_MS)
  const { properties } = await client.listByTenant({ query: {} }, { deadline, tenantId })
  return await Promise.all(
    properties.map(({ propertyId }) =>
      client.getProperty({ params: { propertyId } }, { deadline }),
    ),
  )
}

export async function hotelOf(booking: Booking, slug: string): Promise<PropertyDetail> {
  const [hotel] = await hotelsOf(booking, slug)
  if (hotel === undefined) throw new Error(`${slug} has no hotel`)
  return hotel
}

/** What the hotel's staff do in pricing and inventory. */
export function createStaff(
  { sandbox }: Pick<Booking, 'sandbox'>,
  { tenantId, propertyId }: PropertyDetail,
) {
  const pricing = upstreamClient(pricingContract, sandbox.url)
  const inventory = upstreamClient(inventoryContract, sandbox.url)
  const call = () => ({
    deadline: createDeadline(CALL_MS),
    tenantId,
    idempotencyKey: newId('req'),
  })
  return {
    /** Changes the prices of every plan. */
    async changePrices(basisPoints: number) {
      const { ratePlans } = await pricing.listRatePlans({ query: { propertyId } }, call())
      for (const { ratePlanId } of ratePlans) {
        await pricing.changePrices({ params: { ratePlanId }, body: { basisPoints } }, call())
      }
    },
    setCapacity: (
      roomTypeId: PropertyDetail['roomTypes'][number]['roomTypeId'],
      stay: StayDates,
      capacity: number,
    ) =>
      inventory.changeCapacity(
        {
          params: { roomTypeId },
          body: { from: stay.checkIn, to: stay.checkOut, capacity },
        },
        call(),
      ),
    /** Sells one room to another guest. */
    async sell(roomTypeId: PropertyDetail['roomTypes'][number]['roomTypeId'], stay: StayDates) {
      const items = [{ roomTypeId, rooms: 1 }]
      const body = { propertyId, items, stay, holder: newId('req') }
      const { allocationId } = await inventory.placeHold({ body }, call())
      await inventory.commitHold({ params: { allocationId }, body: {} }, call())
    },
  }
}

export interface FaultBody {
  readonly kind: 'down' | 'slow' | 'hanging' | 'lying' | 'flaky'
  readonly delayMs?: number
  readonly operation?: string
}

/** Makes an upstream fail while the work runs. */
export async function whileBroken<T>(
  { sandbox }: Booking,
  [upstream, fault]: readonly [UpstreamName, FaultBody],
  work: () => Promise<T>,
): Promise<T> {
  const post = async (verb: string, json: object) => {
    const { status, text } = await sandbox.post(`/admin/api/upstreams/${upstream}/${verb}`, {
      json,
      key: newId('req'),
    })
    if (status !== 200) throw new Error(`${verb} ${upstream}: ${text}`)
  }
  await post('break', fault)
  try {
    return await work()
  } finally {
    await post('mend', fault.operation === undefined ? {} : { operation: fault.operation })
  }
}
