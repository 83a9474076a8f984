import type { Action } from './action.ts'
import { reactivateTenant, suspendTenant } from './tenant-actions.ts'
import { breakUpstream, mendAll, mendUpstream } from './upstream-actions.ts'

/** Every button of the room. */
export const ACTIONS: readonly Action[] = [
  breakUpstream,
  mendUpstream,
  mendAll,
  suspendTenant,
  reactivateTenant,
]
