import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { LockChange } from '../locks/lock-changes.ts'
import type { Streams } from '../streams/streams.ts'

export interface LockFeedDeps {
  readonly streams: Pick<Streams, 'publish'>
  readonly background: Pick<BackgroundWork, 'run'>
}

/** An action on a key began, or its outcome is known. No response waits for the streams. */
export function publishLockChange({ streams, background }: LockFeedDeps, change: LockChange): void {
  const { tenantId, propertyId, reservationId, actionId, action, state } = change
  const data = { actionId, reservationId, action, state }
  const classes = ['desk', 'mgmt'] as const
  const event = {
    channel: 'locks',
    propertyId,
    classes,
    type: 'lock_action.changed',
    data,
  } as const
  background.run(`lock action ${actionId} ${state}`, () => streams.publish(tenantId, event))
}
