import type { LockActionRecord } from './lock-action.ts'

type Described = Pick<
  LockActionRecord,
  'actionId' | 'propertyId' | 'reservationId' | 'command' | 'vendor' | 'actor'
>

/** What every event about an action contains: ids only. */
export function eventPayload(action: Described) {
  const { actionId, propertyId, reservationId, command, vendor, actor } = action
  return { actionId, propertyId, reservationId, action: command.action, vendor, ...actor }
}
