import { newId } from '@melmastoon/domain'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

export const inventoryScript: Script = {
  upstream: 'inventory',
  async run({ clients, testHotel }) {
    const { inventory } = clients
    const { tenantId, property, roomTypeId, capacity, stay } = await testHotel()
    const own = { tenantId }
    const { propertyId } = property
    const query = { propertyId, from: stay.checkIn, to: stay.checkOut }
    await inventory.availability({ query }, own)
    const hold = async () => {
      const items = [{ roomTypeId, rooms: 1 }]
      const body = { propertyId, items, stay, holder: newId('req') }
      const { allocationId } = await inventory.placeHold({ body }, own)
      return { params: { allocationId }, body: {} }
    }
    const given = await hold()
    await inventory.getHold(given, own)
    await inventory.extendHold(given, own)
    await inventory.releaseHold(given, own)
    const sold = await hold()
    await inventory.commitHold(sold, own)
    const { rooms } = await clients.property.listRooms({ params: { propertyId } }, own)
    const room = rooms.findLast((each) => each.roomTypeId === roomTypeId)
    if (room === undefined) throw new ContractViolation('rooms for sale that do not exist')
    await inventory.assignRoom({ params: sold.params, body: { roomId: room.roomId } }, own)
    await inventory.releaseHold(sold, own)
    const { checkIn: from, checkOut: to } = stay
    await inventory.changeCapacity({ params: { roomTypeId }, body: { from, to, capacity } }, own)
  },
}
