import type { ClientInfo } from '@melmastoon/bff/guests'
import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { GuestSessionId } from '@melmastoon/domain'
import type { GuestActor } from './guest-actor.ts'
import type { GuestSession } from './guest-session.ts'

export type DeviceClass = 'phone' | 'tablet' | 'desktop'

export interface StartedGuest extends GuestActor {
  readonly deviceClass: DeviceClass | undefined
}

/**
 * What other features do with sessions. They are registered in the composition root, so that
 * sessions know none of them.
 */
export interface SessionObserver {
  /** @throws Problem when this client may not start a session now. */
  beforeStart?(client: ClientInfo): Promise<void>
  afterStart?(started: StartedGuest): void | Promise<void>
  /** At most once a minute. @param session as it was before this client. */
  onSeen?(session: GuestSession): void
  onConsentWithdrawn?(id: GuestSessionId): void
  /** Deletes all data of a session. It is called before and after the session is cleared. */
  deleteData?(id: GuestSessionId, deadline: TimeLimit): Promise<unknown>
}
