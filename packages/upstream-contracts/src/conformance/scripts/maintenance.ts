import { newId } from '@melmastoon/domain'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

export const maintenanceScript: Script = {
  upstream: 'maintenance',
  async run({ clients, testHotel }) {
    const { maintenance } = clients
    const { tenantId, property } = await testHotel()
    const own = { tenantId }
    const params = { propertyId: property.propertyId }
    const { rooms } = await clients.property.listRooms({ params }, own)
    const roomId = rooms.at(-1)?.roomId
    if (roomId === undefined) throw new ContractViolation('a hotel without rooms')
    const operatorId = newId('opr')
    const by = { actor: { operatorId, deviceId: newId('dev') } }
    const defect = { category: 'other', severity: 'low', source: 'manual_staff' } as const
    const causationId = newId('int')
    const order = { ...defect, roomId, title: 'Conformance', causationId, ...by }
    const { workOrderId } = await maintenance.createWorkOrder({ params, body: order }, own)
    await maintenance.listWorkOrders({ params, query: { active: true } }, own)
    const query = { roomId, category: defect.category }
    const { workOrder } = await maintenance.findOpen({ params, query }, own)
    const caused = await maintenance.findByCausation({ params: { ...params, causationId } }, own)
    if (workOrder?.workOrderId !== workOrderId || caused.workOrderId !== workOrderId) {
      throw new ContractViolation('the created order is not found')
    }
    const ofOrder = { params: { workOrderId } }
    const assignee = { kind: 'staff', operatorId } as const
    const first = { assignee, expectedVersion: 1, ...by }
    await maintenance.assign({ ...ofOrder, body: first }, own)
    await maintenance.changeStatus({ ...ofOrder, body: { status: 'in_progress', ...by } }, own)
    await maintenance.resolve({ ...ofOrder, body: { resolution: 'Repaired', ...by } }, own)
    await maintenance.verify({ ...ofOrder, body: by }, own)
    const { history } = await maintenance.getWorkOrder(ofOrder, own)
    if (history.length !== 5) throw new ContractViolation(`${history.length} versions instead of 5`)
  },
}
