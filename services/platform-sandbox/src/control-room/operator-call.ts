import type { Tx } from '@melmastoon/chassis/db'
import { newId, type TenantId } from '@melmastoon/domain'
import type { Operator } from './control-room.ts'

/** How the control room calls an operation of a module: without HTTP and for no tenant. */
export function operatorCall(operator: Operator) {
  return {
    caller: 'control-room',
    locale: 'en',
    scenario: undefined,
    cause: operator.causeFor(null),
  } as const
}

/** In the tenant's name. Nobody repeats the call, so its response is not stored. */
export function tenantCall(operator: Operator, tenantId: TenantId) {
  return {
    ...operatorCall(operator),
    cause: operator.causeFor(tenantId),
    tenantId,
    key: newId('req'),
    finish: async <Body>(_tx: Tx, body: Body) => body,
  }
}
