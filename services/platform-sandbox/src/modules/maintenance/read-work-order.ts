import type { Queryable } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { WorkOrderDetail } from '@melmastoon/upstream-contracts/maintenance'
import {
  type MaintenanceOperations,
  toWorkOrder,
  toWorkOrderDetail,
  type WorkOrderDetailRow,
  type WorkOrderRef,
  workOrderKey,
} from './work-order.ts'
import {
  selectByCausation,
  selectUnresolved,
  selectWorkOrder,
  selectWorkOrders,
} from './work-order-sql.ts'

const PAGE = 100

export async function readWorkOrder(db: Queryable, ref: WorkOrderRef): Promise<WorkOrderDetail> {
  return onlyOne(await db.query(selectWorkOrder(workOrderKey(ref))))
}

/** One additional row shows whether there is a next page. */
export async function listWorkOrders(
  db: Queryable,
  tenantId: TenantId,
  { params, query }: InputOf<MaintenanceOperations['listWorkOrders']>,
): Promise<OutputOf<MaintenanceOperations['listWorkOrders']>> {
  const { status = null, active = false, cursor, limit = PAGE } = query
  const rows = await db.query(
    selectWorkOrders({
      tenant: idToUuid(tenantId),
      property: idToUuid(params.propertyId),
      status,
      active,
      before: cursor === undefined ? null : idToUuid(cursor),
      rows: limit + 1,
    }),
  )
  const workOrders = rows.slice(0, limit).map(toWorkOrder)
  const last = rows.length > limit ? workOrders.at(-1) : undefined
  return { workOrders, ...(last && { nextCursor: last.workOrderId }) }
}

export async function findOpen(
  db: Queryable,
  tenantId: TenantId,
  { params, query }: InputOf<MaintenanceOperations['findOpen']>,
): Promise<OutputOf<MaintenanceOperations['findOpen']>> {
  const [row] = await db.query(
    selectUnresolved({
      tenant: idToUuid(tenantId),
      property: idToUuid(params.propertyId),
      room: idToUuid(query.roomId),
      category: query.category,
    }),
  )
  return row === undefined ? {} : { workOrder: toWorkOrderDetail(row) }
}

export async function findByCausation(
  db: Queryable,
  tenantId: TenantId,
  params: { readonly propertyId: PropertyId; readonly causationId: string },
): Promise<WorkOrderDetail> {
  const { propertyId, causationId } = params
  const found = selectByCausation(idToUuid(tenantId), idToUuid(propertyId), causationId)
  return onlyOne(await db.query(found))
}

function onlyOne([row]: readonly WorkOrderDetailRow[]): WorkOrderDetail {
  if (row === undefined) throw problem('MELMASTOON.MAINTENANCE.WORK_ORDER_NOT_FOUND')
  return toWorkOrderDetail(row)
}
