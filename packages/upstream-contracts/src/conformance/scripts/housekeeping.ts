import { newId } from '@melmastoon/domain'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

export const housekeepingScript: Script = {
  upstream: 'housekeeping',
  async run({ clients, testHotel }) {
    const { housekeeping } = clients
    const { tenantId, property } = await testHotel()
    const own = { tenantId }
    const params = { propertyId: property.propertyId }
    const { rooms } = await housekeeping.listRooms({ params }, own)
    const room = rooms.find((each) => each.occupancy === 'vacant' && each.task === undefined)
    if (room === undefined) throw new ContractViolation('no vacant room without a task')
    const by = { actor: { operatorId: newId('opr'), deviceId: newId('dev') } }
    const ofRoom = { params: { roomId: room.roomId } }
    const dirty = { ...ofRoom, body: { condition: 'dirty' as const, ...by } }
    const { version } = await housekeeping.setRoomCondition(dirty, own)
    const flags = { flags: ['pickup' as const], expectedVersion: version, ...by }
    await housekeeping.setRoomFlags({ ...ofRoom, body: flags }, own)
    const task = { roomId: room.roomId, kind: 'deep_clean' as const, ...by }
    const { taskId } = await housekeeping.createTask({ params, body: task }, own)
    await housekeeping.listTasks({ params, query: { status: 'pending' } }, own)
    const ofTask = { params: { taskId } }
    await housekeeping.startTask({ ...ofTask, body: { expectedVersion: 1, ...by } }, own)
    const causationId = newId('int')
    await housekeeping.completeTask({ ...ofTask, body: { causationId, ...by } }, own)
    await housekeeping.inspectTask({ ...ofTask, body: by }, own)
    const { history } = await housekeeping.getTask(ofTask, own)
    if (history.find((entry) => entry.status === 'completed')?.causationId !== causationId) {
      throw new ContractViolation('the history does not name the cause of a change')
    }
    const { condition } = await housekeeping.getRoom(ofRoom, own)
    if (condition !== 'inspected') throw new ContractViolation(`the room is ${condition}`)
    await housekeeping.setRoomFlags({ ...ofRoom, body: { flags: [], ...by } }, own)
  },
}
