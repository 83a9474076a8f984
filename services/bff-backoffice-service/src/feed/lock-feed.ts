import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { TenantId } from '@melmastoon/domain'
import { lockActionRequested, lockActionSettled } from '../events/lock-events.ts'
import { isOpen, type LockState } from '../locks/lock-action.ts'
import type { LockChange } from '../locks/lock-changes.ts'
import type { StreamEvent } from '../streams/stream-event.ts'
import type { Streams } from '../streams/streams.ts'

export interface LockFeedDeps {
  readonly streams: Pick<Streams, 'publish'>
  readonly background: Pick<BackgroundWork, 'run'>
}

type Shown = Pick<LockChange, 'actionId' | 'reservationId' | 'action' | 'state' | 'propertyId'>

function toStreamEvent({ propertyId, actionId, reservationId, action, state }: Shown): StreamEvent {
  return {
    channel: 'locks',
    propertyId,
    classes: ['desk', 'mgmt'],
    type: 'lock_action.changed',
    data: { actionId, reservationId, action, state },
  }
}

/** An action on a key began, or its outcome is known: from the bus, so that a crash loses none. */
export function lockFeed({ streams }: Pick<LockFeedDeps, 'streams'>): EventHandler[] {
  const publish = async (tenantId: TenantId | null, action: object, state: LockState) => {
    if (tenantId !== null)
      await streams.publish(tenantId, toStreamEvent({ ...action, state } as Shown))
  }
  return [
    on(lockActionRequested, {
      afterCommit: (payload, { envelope }) => publish(envelope.tenantId, payload, 'requested'),
    }),
    on(lockActionSettled, {
      afterCommit: (payload, { envelope }) => {
        const state = payload.outcome === 'success' ? 'succeeded' : 'failed'
        return publish(envelope.tenantId, payload, state)
      },
    }),
  ]
}

/**
 * `accepted` and `unknown` have no event: devices see them sooner, but do not depend on them. No
 * response waits for the streams.
 */
export function publishLockChange({ streams, background }: LockFeedDeps, change: LockChange): void {
  const { tenantId, actionId, state } = change
  if (state === 'requested' || !isOpen(change)) return
  const event = toStreamEvent(change)
  background.run(`lock action ${actionId} ${state}`, () => streams.publish(tenantId, event))
}
