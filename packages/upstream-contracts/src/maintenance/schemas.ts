import { type Static, Type } from 'typebox'
import { id, instant, ResourceHistory, text } from '../schemas.ts'
import { WORK_ORDER_STATUSES } from './moves.ts'

export const SEVERITIES = ['low', 'normal', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export const WORK_ORDER_CATEGORIES = [
  'plumbing',
  'electrical',
  'hvac',
  'lock',
  'generator',
  'water',
  'structural',
  'it',
  'other',
] as const
export type WorkOrderCategory = (typeof WORK_ORDER_CATEGORIES)[number]

export const WORK_ORDER_SOURCES = [
  'manual_staff',
  'guest_complaint',
  'housekeeping_flag',
  'lock_health_alert',
  'preventive_schedule',
  'reservation_relocation_failure',
] as const
export type WorkOrderSource = (typeof WORK_ORDER_SOURCES)[number]

export const WorkOrderStatusSchema = Type.Enum([...WORK_ORDER_STATUSES])

/** A member of staff, or a company named by staff. */
export const Assignee = Type.Union([
  Type.Object({ kind: Type.Literal('staff'), operatorId: id('opr') }),
  Type.Object({ kind: Type.Literal('vendor'), vendorName: text(120) }),
])

export type Assignee = Static<typeof Assignee>

const workOrder = {
  workOrderId: id('mnt'),
  propertyId: id('ppt'),
  roomId: Type.Optional(id('rmu')),
  roomNumber: Type.Optional(Type.String({ maxLength: 20 })),
  category: Type.Enum([...WORK_ORDER_CATEGORIES]),
  severity: Type.Enum([...SEVERITIES]),
  status: WorkOrderStatusSchema,
  /** Written by staff, in their own language. */
  title: text(200),
  description: Type.Optional(text(2_000)),
  source: Type.Enum([...WORK_ORDER_SOURCES]),
  /** The room cannot be sold until the order is verified or cancelled. */
  blocksRoom: Type.Boolean(),
  assignee: Type.Optional(Assignee),
  reportedBy: Type.Optional(id('opr')),
  resolution: Type.Optional(text(2_000)),
  createdAt: instant(),
  assignedAt: Type.Optional(instant()),
  resolvedAt: Type.Optional(instant()),
  verifiedAt: Type.Optional(instant()),
  version: Type.Integer({ minimum: 1 }),
  updatedAt: instant(),
}

export const WorkOrder = Type.Object(workOrder)
export type WorkOrder = Static<typeof WorkOrder>

export const WorkOrderDetail = Type.Object({
  ...workOrder,
  history: ResourceHistory(WorkOrderStatusSchema),
})
export type WorkOrderDetail = Static<typeof WorkOrderDetail>
