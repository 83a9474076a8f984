import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import {
  Actor,
  CausationId,
  ExpectedVersion,
  id,
  instant,
  named,
  ResourceHistory,
  text,
} from '../schemas.ts'
import { Message, ResourceRef, Severity } from '../staff-message.ts'
import { OPERATOR_ROLES } from '../tenant/contract.ts'

export const ALERT_CATEGORIES = [
  'device_offline',
  'lock_failed',
  'lock_outcome_unknown',
  'lock_low_battery',
  'duplicate_key',
  'late_arrival',
  'balance_due',
  'room_not_ready',
  'maintenance_critical',
  'session_reuse',
  'export_missed',
  'system',
] as const
export const ALERT_STATES = ['open', 'acknowledged'] as const

export type AlertCategory = (typeof ALERT_CATEGORIES)[number]
export type AlertState = (typeof ALERT_STATES)[number]

const State = Type.Enum([...ALERT_STATES])
const Note = text(200)
const Audience = Type.Array(Type.Enum([...OPERATOR_ROLES]), {
  minItems: 1,
  maxItems: OPERATOR_ROLES.length,
  uniqueItems: true,
})

const content = {
  propertyId: id('ppt'),
  category: Type.Enum([...ALERT_CATEGORIES]),
  severity: Severity,
  title: Message,
  audience: Audience,
  ...ResourceRef,
}

const row = {
  alertId: id('alt'),
  ...content,
  /** Of all operators together: acknowledged as soon as one of them has acknowledged it. */
  state: State,
  raisedAt: instant(),
  /** At most one entry per operator, oldest first. */
  acknowledgedBy: Type.Array(
    Type.Object({ operatorId: id('opr'), at: instant(), note: Type.Optional(Note) }),
    { maxItems: 1_000 },
  ),
  version: Type.Integer({ minimum: 1 }),
  updatedAt: instant(),
}

/** Contains ids and numbers only; the client translates the title. */
export const Alert = named('Alert', Type.Object(row))
export type Alert = Static<typeof Alert>

export const AlertDetail = named(
  'AlertDetail',
  Type.Object({ ...row, history: ResourceHistory(State) }),
)
export type AlertDetail = Static<typeof AlertDetail>

const AlertParams = Type.Object({ alertId: id('alt') })

export const notificationContract = defineContract({
  upstream: 'notification',
  basePath: '/api/v1',
  operations: {
    listAlerts: {
      method: 'GET',
      path: '/properties/:propertyId/alerts',
      summary: 'List the alerts of a property, newest first',
      params: Type.Object({ propertyId: id('ppt') }),
      query: Type.Object({
        state: Type.Optional(State),
        /** The state as seen by this operator: open until they have acknowledged it themselves. */
        operatorId: Type.Optional(id('opr')),
        /** Only alerts for this role. */
        role: Type.Optional(Type.Enum([...OPERATOR_ROLES])),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        cursor: Type.Optional(text(200)),
      }),
      response: Type.Object({
        alerts: Type.Array(Alert, { maxItems: 200 }),
        nextCursor: Type.Optional(text(200)),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    getAlert: {
      method: 'GET',
      path: '/alerts/:alertId',
      summary: 'An alert, with its history',
      params: AlertParams,
      response: AlertDetail,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.NOTIFICATION.ALERT_NOT_FOUND'],
    },
    raise: {
      method: 'POST',
      path: '/alerts',
      summary: 'Raise an alert; returns the open alert that has the same deduplication key',
      status: 201,
      body: Type.Object({
        ...content,
        /** At most one open alert of a property has this key. */
        deduplicationKey: Type.Optional(Type.String({ pattern: '^[\\w.:-]{1,120}$' })),
        /** Absent when a service raises it by itself. */
        actor: Type.Optional(Actor),
        causationId: Type.Optional(CausationId),
      }),
      response: AlertDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    acknowledge: {
      method: 'POST',
      path: '/alerts/:alertId/acknowledge',
      summary: 'Acknowledge an alert for one operator; a second acknowledgement changes nothing',
      params: AlertParams,
      body: Type.Object({
        actor: Actor,
        causationId: Type.Optional(CausationId),
        expectedVersion: Type.Optional(ExpectedVersion),
        note: Type.Optional(Note),
      }),
      response: AlertDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.NOTIFICATION.ALERT_NOT_FOUND',
        'MELMASTOON.NOTIFICATION.VERSION_CONFLICT',
      ],
    },
  },
})
