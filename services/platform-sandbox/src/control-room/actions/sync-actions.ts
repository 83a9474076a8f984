import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { defineAction } from './action.ts'

export const resetCursor = defineAction({
  name: 'sync.reset-cursor',
  path: '/tenants/:tenantId/devices/:deviceId/cursor/reset',
  summary: 'Delete the sync cursor of a device, so that it has to start again',
  done: 'The cursor is reset.',
  section: 'sync',
  params: Type.Object({ tenantId: id('tnt'), deviceId: id('dev') }),
  body: Type.Object({}),
  async run(room, { params }) {
    await room.modules.sync.resetCursor(params.tenantId, params.deviceId)
    return { deviceId: params.deviceId }
  },
})
