import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { OperatorId, PropertyId, TenantId } from '@melmastoon/domain'
import { deviceStatusChanged } from '../events/device-events.ts'
import { preferencesUpdated } from '../events/preferences-events.ts'
import type { FeedDeps } from './change.ts'
import { feed, pick } from './feed-handler.ts'

/** Events of this service that devices show: from the bus, so that a crash loses none. */
export function ownFeed(deps: FeedDeps): EventHandler[] {
  return [
    ...feed(deps, [deviceStatusChanged], (payload, type) => ({
      tenantId: payload.tenantId as TenantId,
      tags: [],
      events: [
        {
          channel: 'devices',
          propertyId: payload.propertyId as PropertyId | null,
          type,
          data: pick(payload, ['deviceId', 'status']),
        },
      ],
    })),
    /** The other devices of the operator read them again. */
    ...feed(deps, [preferencesUpdated], (payload, type) => ({
      tenantId: payload.tenantId as TenantId,
      tags: [],
      events: [
        {
          channel: 'session',
          propertyId: payload.propertyId as PropertyId,
          operatorId: payload.operatorId as OperatorId,
          type,
          data: pick(payload, ['deviceId', 'version']),
        },
      ],
    })),
  ]
}
