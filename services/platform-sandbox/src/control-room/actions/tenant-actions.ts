import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'

const TenantParams = Type.Object({ tenantId: id('tnt') })

export const suspendTenant = defineAction({
  name: 'tenant.suspend',
  path: '/tenants/:tenantId/suspend',
  summary: 'Suspend a tenant',
  done: 'The tenant is suspended.',
  section: 'tenants',
  params: TenantParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    room.modules.tenant.handlers.suspend(
      { params, body: { reasonCode: 'control_room' } },
      tenantCall(operator, params.tenantId),
    ),
})

export const reactivateTenant = defineAction({
  name: 'tenant.reactivate',
  path: '/tenants/:tenantId/reactivate',
  summary: 'Reactivate a suspended tenant',
  done: 'The tenant is active again.',
  section: 'tenants',
  params: TenantParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    room.modules.tenant.handlers.reactivate(
      { params, body: {} },
      tenantCall(operator, params.tenantId),
    ),
})
