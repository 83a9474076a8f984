import { hash } from 'node:crypto'
import {
  addDays,
  type DraftId,
  newId,
  type PropertyId,
  type RoomTypeId,
  type TenantId,
  todayIn,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'

export const TIME_ZONE = 'Asia/Kabul'

/** What both implementations know before a sequence: a hotel with few rooms, and quotes. */
export interface World {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly roomTypes: readonly { readonly roomTypeId: RoomTypeId; readonly capacity: number }[]
  readonly quotes: readonly Quote[]
  readonly drafts: readonly DraftId[]
}

export function createWorld(tenantId: TenantId, nowMs: number): World {
  const propertyId = newId('ppt')
  const roomTypes = [
    { roomTypeId: newId('rmt'), capacity: 1 },
    { roomTypeId: newId('rmt'), capacity: 3 },
  ]
  const quoteOf = quoteMaker({ tenantId, propertyId, nowMs })
  const [scarce, plenty] = roomTypes.map(({ roomTypeId }) => roomTypeId)
  const rooms = (roomTypeId: RoomTypeId | undefined, quantity: number) =>
    roomTypeId === undefined ? [] : [{ roomTypeId, quantity }]
  const quotes = [
    quoteOf(rooms(scarce, 1), { nights: 2, price: 1 }),
    // The same stay at another price.
    quoteOf(rooms(scarce, 1), { nights: 2, price: 2 }),
    quoteOf([...rooms(plenty, 1), ...rooms(scarce, 1), ...rooms(plenty, 1)], {
      nights: 1,
      price: 3,
    }),
    quoteOf(rooms(plenty, 2), { nights: 3, price: 4 }),
    quoteOf(rooms(plenty, 1), { nights: 1, price: 5, isExpired: true }),
  ]
  const drafts = [newId('bdr'), newId('bdr'), newId('bdr')]
  return { tenantId, propertyId, roomTypes, quotes, drafts }
}

interface Terms {
  readonly nights: number
  readonly price: number
  readonly isExpired?: boolean
}

function quoteMaker({
  nowMs,
  ...hotel
}: { nowMs: number } & Pick<Quote, 'tenantId' | 'propertyId'>) {
  const checkIn = addDays(todayIn(TIME_ZONE, new Date(nowMs)), 21)
  return (rooms: Quote['rooms'], { nights, price, isExpired = false }: Terms): Quote => ({
    ...hotel,
    quoteId: newId('qte'),
    ratePlanId: newId('rate'),
    ratePlanCode: 'BAR',
    ratePlanVersion: 1,
    stay: { checkIn, checkOut: addDays(checkIn, nights) },
    occupancy: {
      adults: 2,
      children: 0,
      rooms: rooms.reduce((sum, room) => sum + room.quantity, 0),
    },
    rooms,
    lines: [],
    total: { amountMicro: String(price * 250_000_000), currency: 'AFN' },
    cancellation: { kind: 'free', freeUntilHours: 24, penaltyBasisPoints: 0 },
    digest: `sha256:${hash('sha256', String(price), 'hex')}`,
    createdAt: toIsoDateTime(new Date(nowMs)),
    expiresAt: toIsoDateTime(new Date(nowMs + (isExpired ? -1 : 30) * 60_000)),
  })
}
