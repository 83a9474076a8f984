import { addDays, type IsoDate, isIsoDate, problem } from '@melmastoon/domain'
import { id, isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import type { ControlRoom, Operator } from '../control-room.ts'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'

const NightParams = Type.Object({ tenantId: id('tnt'), propertyId: id('ppt'), night: isoDate() })
type NightParams = Static<typeof NightParams>

export const sellOutNight = defineAction({
  name: 'hotel.sell-out',
  path: '/tenants/:tenantId/properties/:propertyId/nights/:night/sell-out',
  summary: 'Close every available room of a hotel for one night',
  done: 'The night is sold out.',
  section: 'hotel',
  params: NightParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    setCapacities({ room, operator, params }, async () => ({ capacityOf: () => 0 })),
})

export const openNight = defineAction({
  name: 'hotel.open-night',
  path: '/tenants/:tenantId/properties/:propertyId/nights/:night/open',
  summary: 'Reopen all rooms of a hotel for one night',
  done: 'The night is available again.',
  section: 'hotel',
  params: NightParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    setCapacities({ room, operator, params }, async () => {
      const detail = await room.modules.property.findProperty(params.propertyId)
      const counts = new Map(detail?.roomTypes.map((type) => [type.roomTypeId, type.roomCount]))
      return { capacityOf: (roomTypeId) => counts.get(roomTypeId) ?? 0 }
    }),
})

interface Night {
  readonly room: ControlRoom
  readonly operator: Operator
  readonly params: NightParams
}

interface Plan {
  capacityOf(roomTypeId: RoomTypeNight['roomTypeId']): number
}

export type RoomTypeNight = Awaited<ReturnType<typeof readNights>>[number]

/** Never below the number of rooms already held or sold. */
async function setCapacities(night: Night, makePlan: () => Promise<Plan>) {
  const { room, operator, params } = night
  const { tenantId, propertyId } = params
  const from = checkNight(params.night)
  const span = { from, to: addDays(from, 1) }
  const [roomTypes, plan] = await Promise.all([readNights(night, span), makePlan()])
  for (const { roomTypeId, nights } of roomTypes) {
    const promised = (nights[0]?.held ?? 0) + (nights[0]?.sold ?? 0)
    const capacity = Math.max(promised, plan.capacityOf(roomTypeId))
    await room.modules.inventory.handlers.changeCapacity(
      { params: { roomTypeId }, body: { ...span, capacity } },
      tenantCall(operator, tenantId),
    )
  }
  return { propertyId, roomTypes: await readNights(night, span) }
}

export async function readNights(
  { room, operator, params }: { room: ControlRoom; operator: Operator; params: HotelParams },
  span: { readonly from: IsoDate; readonly to: IsoDate },
) {
  const { tenantId, propertyId } = params
  const { availability } = room.modules.inventory.handlers
  const query = { propertyId, ...span }
  return (await availability({ query }, tenantCall(operator, tenantId))).roomTypes
}

type HotelParams = Pick<NightParams, 'tenantId' | 'propertyId'>

function checkNight(night: string): IsoDate {
  if (isIsoDate(night)) return night
  throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
}
