import type { EventHandler } from '@melmastoon/chassis/inbox'
import {
  alertAcknowledged,
  alertRaised,
  deviceRegistered,
  operatorRoleChanged,
  suggestionDecided,
  suggestionExpired,
  suggestionProposed,
  suggestionWithdrawn,
} from '@melmastoon/platform-events'
import { type BoardClass, boardClassOf, OPERATOR_ROLES } from '../access/operator.ts'
import { alertsTag } from '../alerts/alert-inbox.ts'
import { OPERATOR_CHANGED } from '../streams/device-stream.ts'
import { suggestionsTag } from '../suggestions/suggestion-inbox.ts'
import type { FeedDeps } from './change.ts'
import { feed, pick } from './feed-handler.ts'

/** What concerns operators and devices rather than rooms and stays. */
export function staffFeed(deps: FeedDeps): EventHandler[] {
  return [
    ...feed(deps, [alertRaised, alertAcknowledged], (payload, type) => {
      const data = pick(payload, ['alertId', 'severity', 'status', 'version', 'causationId'])
      const classes = classesOfRoles(payload.audience)
      const { tenantId, propertyId } = payload
      const event = { channel: 'alerts', propertyId, classes, type, data } as const
      return { tenantId, tags: [alertsTag(propertyId)], events: [event] }
    }),
    ...feed(
      deps,
      [suggestionProposed, suggestionDecided, suggestionExpired, suggestionWithdrawn],
      (payload, type) => {
        const data = pick(payload, ['suggestionId', 'status', 'version', 'causationId'])
        const classes = [...new Set<BoardClass>(['mgmt', payload.class as BoardClass])]
        const { tenantId, propertyId } = payload
        const event = { channel: 'ai', propertyId, classes, type, data } as const
        return { tenantId, tags: [suggestionsTag(propertyId)], events: [event] }
      },
    ),
    ...feed(deps, [deviceRegistered], ({ tenantId, deviceId }, type) => ({
      tenantId,
      tags: [],
      events: [{ channel: 'devices', propertyId: null, type, data: { deviceId } }],
    })),
    /** The record of the operator is invalidated by `access`, before this. */
    ...feed(deps, [operatorRoleChanged], ({ tenantId, operatorId, version }) => ({
      tenantId,
      tags: [],
      events: [
        {
          channel: 'session',
          propertyId: null,
          operatorId,
          type: OPERATOR_CHANGED,
          data: { version },
        },
      ],
    })),
  ]
}

/** Managers see all alerts, everybody else those for one of their roles. */
function classesOfRoles(audience: readonly string[]): BoardClass[] {
  const roles = OPERATOR_ROLES.filter((role) => audience.includes(role))
  return [...new Set<BoardClass>(['mgmt', ...roles.map((role) => boardClassOf({ roles: [role] }))])]
}
