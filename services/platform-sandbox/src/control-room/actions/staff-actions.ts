import { type Id, newId, type TenantId } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import { OPERATOR_ROLES, type Operator as Staff } from '@melmastoon/upstream-contracts/tenant'
import { Type } from 'typebox'
import type { ControlRoom, Operator } from '../control-room.ts'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'

const StaffParams = Type.Object({ tenantId: id('tnt'), operatorId: id('opr') })

export const rotateSigningKeys = defineAction({
  name: 'iam.rotate-keys',
  path: '/iam/rotate-keys',
  summary: 'Sign access tokens with a new key; the previous one still verifies',
  done: 'A new key signs access tokens.',
  section: 'staff',
  params: Type.Object({}),
  body: Type.Object({}),
  run: (room) => room.modules.iam.rotateKeys(),
})

export const revokeStaffSession = defineAction({
  name: 'iam.revoke-session',
  path: '/tenants/:tenantId/sessions/:sessionId/revoke',
  summary: 'Sign a member of staff out on one device',
  done: 'The session is revoked.',
  section: 'staff',
  params: Type.Object({ tenantId: id('tnt'), sessionId: id('bos') }),
  body: Type.Object({}),
  run: (room, { params: { tenantId, sessionId } }, operator) =>
    room.modules.iam.handlers.revokeSession(
      { params: { sessionId }, body: { reasonCode: 'control_room' } },
      tenantCall(operator, tenantId),
    ),
})

export const changeStaffRole = defineAction({
  name: 'tenant.change-role',
  path: '/tenants/:tenantId/operators/:operatorId/role',
  summary: 'Give a member of staff another role',
  done: 'The role is changed.',
  section: 'staff',
  params: StaffParams,
  body: Type.Object({ role: Type.Enum([...OPERATOR_ROLES]) }),
  run: (room, { params, body }, operator) =>
    changeStaff(room, { ...params, operator }, () => ({ roles: [body.role] })),
})

export const disableStaff = defineAction({
  name: 'tenant.disable-operator',
  path: '/tenants/:tenantId/operators/:operatorId/disable',
  summary: 'Disable a member of staff, who is signed out everywhere',
  done: 'The member of staff is disabled.',
  section: 'staff',
  params: StaffParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    changeStaff(room, { ...params, operator }, ({ roles }) => ({ roles, status: 'disabled' })),
})

export const enableStaff = defineAction({
  name: 'tenant.enable-operator',
  path: '/tenants/:tenantId/operators/:operatorId/enable',
  summary: 'Enable a disabled member of staff',
  done: 'The member of staff is active again.',
  section: 'staff',
  params: StaffParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    changeStaff(room, { ...params, operator }, ({ roles }) => ({ roles, status: 'active' })),
})

interface Target {
  readonly tenantId: TenantId
  readonly operatorId: Id<'opr'>
  readonly operator: Operator
}

type Change = Pick<Staff, 'roles'> & Partial<Pick<Staff, 'status'>>

/** The control room has no account, so the change is recorded as one of the person itself. */
async function changeStaff(
  { modules }: ControlRoom,
  { tenantId, operatorId, operator }: Target,
  change: (staff: Staff) => Change,
): Promise<Staff> {
  const { handlers } = modules.tenant
  const params = { operatorId }
  const staff = await handlers.getOperator({ params }, tenantCall(operator, tenantId))
  const actor = { operatorId, deviceId: newId('dev') }
  const body = { ...change(staff), actor, expectedVersion: staff.version }
  return await handlers.setOperatorRole({ params, body }, tenantCall(operator, tenantId))
}
