import type { Tx } from '@melmastoon/chassis/db'
import { newId, type TenantId } from '@melmastoon/domain'
import type { Operator } from './control-room.ts'

/** Calls an operation of a module without HTTP and without a tenant. */
export function operatorCall(operator: Operator) {
  return {
    caller: 'control-room',
    locale: 'en',
    scenario: undefined,
    cause: operator.causeFor(null),
  } as const
}

/** On behalf of a tenant. The call is never retried, so its response is not stored. */
export function tenantCall(operator: Operator, tenantId: TenantId) {
  return {
    ...operatorCall(operator),
    cause: operator.causeFor(tenantId),
    tenantId,
    key: newId('req'),
    finish: async <Body>(_tx: Tx, body: Body) => body,
  }
}
