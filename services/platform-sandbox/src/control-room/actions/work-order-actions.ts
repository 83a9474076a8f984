import { problem } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import {
  WORK_ORDER_CATEGORIES,
  type WorkOrderCategory,
} from '@melmastoon/upstream-contracts/maintenance'
import { Type } from 'typebox'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'
import { CONTROL_ROOM_ACTOR } from './stay-actions.ts'

const by = { actor: CONTROL_ROOM_ACTOR }

const COMPLAINTS: Readonly<Record<WorkOrderCategory, string>> = {
  plumbing: 'A guest reports a leaking tap',
  electrical: 'A guest reports a light that does not work',
  hvac: 'A guest reports that the heating does not work',
  lock: 'A guest reports that the door does not lock',
  generator: 'A guest reports repeated power cuts',
  water: 'A guest reports that there is no hot water',
  structural: 'A guest reports a broken window',
  it: 'A guest reports that the network does not work',
  other: 'A guest reports a defect',
}

export const complainAboutRoom = defineAction({
  name: 'work-order.complain',
  path: '/tenants/:tenantId/properties/:propertyId/rooms/:roomId/complain',
  summary: 'Create a work order as the complaint of a guest; a blocking one closes the room',
  done: 'The work order is created.',
  section: 'work-orders',
  params: Type.Object({ tenantId: id('tnt'), propertyId: id('ppt'), roomId: id('rmu') }),
  body: Type.Object({
    category: Type.Enum([...WORK_ORDER_CATEGORIES]),
    blocksRoom: Type.Optional(Type.Boolean()),
  }),
  run(room, { params: { tenantId, propertyId, roomId }, body }, operator) {
    const { category, blocksRoom = false } = body
    const title = COMPLAINTS[category]
    const severity = blocksRoom ? 'critical' : 'normal'
    const defect = { roomId, category, severity, title, blocksRoom } as const
    return room.modules.maintenance.handlers.createWorkOrder(
      { params: { propertyId }, body: { ...defect, source: 'guest_complaint', ...by } },
      tenantCall(operator, tenantId),
    )
  },
})

export const advanceWorkOrder = defineAction({
  name: 'work-order.advance',
  path: '/tenants/:tenantId/work-orders/:workOrderId/advance',
  summary: 'Assign, resolve or verify a work order, whichever is next',
  done: 'The work order is one step further.',
  section: 'work-orders',
  params: Type.Object({ tenantId: id('tnt'), workOrderId: id('mnt') }),
  body: Type.Object({}),
  async run(room, { params: { tenantId, workOrderId } }, operator) {
    const { handlers } = room.modules.maintenance
    const call = tenantCall(operator, tenantId)
    const params = { workOrderId }
    const { status, version } = await handlers.getWorkOrder({ params }, call)
    const body = { expectedVersion: version, ...by }
    const { operatorId } = CONTROL_ROOM_ACTOR
    switch (status) {
      case 'open': {
        const assignee = { kind: 'staff', operatorId } as const
        return await handlers.assign({ params, body: { assignee, ...body } }, call)
      }
      case 'resolved':
        return await handlers.verify({ params, body }, call)
      case 'verified':
      case 'cancelled':
        throw problem('MELMASTOON.MAINTENANCE.WORK_ORDER_TERMINAL')
      case 'assigned':
      case 'in_progress':
      case 'blocked':
        return await handlers.resolve({ params, body }, call)
    }
  },
})
