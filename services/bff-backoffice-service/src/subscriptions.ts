import type { Subscriptions } from '@melmastoon/chassis/service'
import { onRefreshReused } from './access/alert-reuse.ts'
import { onOperatorRoleChanged, onStaffSessionRevoked } from './access/session-handlers.ts'
import type { BackofficeContext } from './context.ts'
import { lockFeed } from './feed/lock-feed.ts'
import { mergeHandlers } from './feed/merge-handlers.ts'
import { ownFeed } from './feed/own-feed.ts'
import { roomFeed } from './feed/room-feed.ts'
import { staffFeed } from './feed/staff-feed.ts'
import { stayFeed } from './feed/stay-feed.ts'
import { lockHandlers } from './locks/lock-handlers.ts'
import { stayHandlers } from './locks/stay-handlers.ts'

/**
 * Features may handle the same event: the feed comes last, so that devices are notified when
 * everything else is done. Dead letters are named `bff-backoffice-dlq.<subject>` (D32).
 */
export const subscriptions: Subscriptions<BackofficeContext> = {
  name: 'bff-backoffice',
  handlers: (ctx) =>
    mergeHandlers([
      onStaffSessionRevoked(ctx),
      onRefreshReused(ctx),
      onOperatorRoleChanged(ctx),
      ...lockHandlers(ctx),
      ...stayHandlers(ctx),
      ...stayFeed(ctx),
      ...roomFeed(ctx),
      ...staffFeed(ctx),
      ...ownFeed(ctx),
      ...lockFeed(ctx),
    ]),
}
