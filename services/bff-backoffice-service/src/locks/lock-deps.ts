import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { EventContext } from '@melmastoon/events'
import type { lockContract } from '@melmastoon/upstream-contracts/lock'
import type { notificationContract } from '@melmastoon/upstream-contracts/notification'
import type { propertyContract } from '@melmastoon/upstream-contracts/property'
import type { reservationContract } from '@melmastoon/upstream-contracts/reservation'
import type { StepUp } from '../access/step-up.ts'
import type { EventDeps } from '../events/staff-call.ts'
import type { HotelDayDeps } from '../properties/read-hotel-day.ts'
import type { LockActionRecord, NewLockAction } from './lock-action.ts'
import type { LockChanges } from './lock-changes.ts'
import type { LockMetrics } from './lock-metrics.ts'

/** What tests replace: times, how an action begins, and how its sending is claimed. */
export interface LockControls {
  readonly begin?: BeginAction
  readonly claim?: ClaimSending
  readonly pollMs?: number
  /** Until the reconciler looks at an action for the first time; doubles each time. */
  readonly firstLookMs?: number
  /** The lock service revokes the keys of a stay that has ended; then they are checked. */
  readonly followUpMs?: number
}

/** Commits the audit of an action before its command is sent. */
export type BeginAction = (
  deps: LockDeps,
  planned: NewLockAction,
  call: LockCall,
) => Promise<LockActionRecord>

/** Null: the action is settled, or another attempt is sending its command. */
export type ClaimSending = (
  deps: Pick<LockDeps, 'db'>,
  claimed: { readonly action: LockActionRecord; readonly holdsLease: boolean },
  call: Pick<LockCall, 'deadline'>,
) => Promise<LockActionRecord | null>

export interface LockDeps extends EventDeps, HotelDayDeps {
  readonly db: Database
  readonly clock: Clock
  readonly config: { readonly instance: string }
  readonly upstreams: {
    readonly property: ClientOf<typeof propertyContract>
    readonly lock: ClientOf<typeof lockContract>
    readonly reservation: Pick<ClientOf<typeof reservationContract>, 'getStay'>
    readonly notification: Pick<ClientOf<typeof notificationContract>, 'raise'>
  }
  readonly stepUp: Pick<StepUp, 'consume'>
  readonly lockMetrics: LockMetrics
  readonly lockChanges: LockChanges
  readonly lockControls: LockControls
}

/** A call on behalf of a request or of the reconciler. */
export interface LockCall extends UpstreamCall {
  readonly cause: EventContext
}
