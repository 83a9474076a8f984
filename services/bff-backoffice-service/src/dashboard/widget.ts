import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { type FieldGroup, seesFields } from '../access/field-table.ts'
import type { Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import { WIDGET_DATA } from './widget-schemas.ts'

export const WIDGETS = [
  'arrivals',
  'departures',
  'occupancy',
  'housekeeping',
  'maintenance',
  'balances',
  'alerts',
  'suggestions',
  'rates',
] as const

export type WidgetName = (typeof WIDGETS)[number]

export interface WidgetSource {
  readonly upstream: string
  /** The operation that a role needs in order to see it. */
  readonly operation: string
  /** What it shows; by default nothing that is hidden from a class. */
  readonly fields?: FieldGroup
}

/** Where its data comes from, and who sees it. */
export const WIDGET_SOURCES: Readonly<Record<WidgetName, WidgetSource>> = {
  arrivals: { upstream: 'reservation', operation: 'staff.board.arrivals' },
  departures: { upstream: 'reservation', operation: 'staff.board.departures' },
  occupancy: { upstream: 'reservation', operation: 'staff.board.in-house' },
  housekeeping: { upstream: 'housekeeping', operation: 'staff.board.housekeeping' },
  maintenance: { upstream: 'maintenance', operation: 'staff.board.maintenance' },
  balances: { upstream: 'billing', operation: 'staff.board.departures', fields: 'money' },
  alerts: { upstream: 'notification', operation: 'staff.alert.list' },
  suggestions: { upstream: 'ai', operation: 'staff.suggestion.list' },
  rates: { upstream: 'pricing', operation: 'staff.board.today', fields: 'money' },
}

export function isVisible(id: WidgetName, viewer: Pick<Operator, 'roles' | 'isLead'>): boolean {
  const { operation, fields } = WIDGET_SOURCES[id]
  return isAllowed(operation, viewer) && (fields === undefined || seesFields(fields, viewer))
}

const Widget = named(
  'DashboardWidget',
  Type.Object({
    id: Type.Enum([...WIDGETS]),
    status: Type.Enum(['ok', 'stale', 'late', 'failed', 'hidden'], {
      description:
        '`stale`: older than usual, because an upstream does not respond; `late`: its upstream had not responded in time; `hidden`: not for this role; neither `late` nor `hidden` has data',
    }),
    asOf: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the oldest part of the data was read from its upstream',
    }),
    ageMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Of `asOf`, when the widget was sent',
    }),
    source: Type.Enum(['live', 'cache', 'stale', 'none']),
    upstream: Type.String(),
    data: Type.Union([...WIDGET_DATA, Type.Null()]),
    problem: Type.Union([Type.Object({ code: Type.String() }), Type.Null()]),
  }),
)

export const Dashboard = named(
  'Dashboard',
  Type.Object({
    snapshotId: Type.String(),
    propertyId: Type.String(),
    businessDate: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description:
        'Null: the time zone of the property is not known, because its service has not responded',
    }),
    widgets: Type.Array(Widget, { description: 'In the order in which they arrived' }),
    complete: Type.Boolean({
      description: 'Every widget that the role sees has data, and none of it is stale',
    }),
  }),
)

const { snapshotId, propertyId, businessDate, complete } = Dashboard.properties
const { id, upstream } = Widget.properties

const SkeletonLine = named(
  'DashboardSkeletonLine',
  Type.Object({
    type: Type.Literal('skeleton'),
    snapshotId,
    propertyId,
    businessDate,
    widgets: Type.Array(Type.Object({ id, upstream }), { description: 'Those that will follow' }),
  }),
)

const WidgetLine = named(
  'DashboardWidgetLine',
  Type.Object({ type: Type.Literal('widget'), ...Widget.properties }),
)

const EndLine = named('DashboardEndLine', Type.Object({ type: Type.Literal('end'), complete }))

export const DashboardLines = Type.String({
  contentMediaType: 'application/x-ndjson',
  description: '`contentSchema` describes one line.',
  contentSchema: { anyOf: [SkeletonLine, WidgetLine, EndLine] },
})
