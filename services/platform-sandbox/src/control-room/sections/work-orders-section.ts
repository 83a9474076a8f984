import type { WorkOrder } from '@melmastoon/upstream-contracts/maintenance'
import { type Html, html } from '../../page/html.ts'
import { advanceWorkOrder } from '../actions/work-order-actions.ts'
import { actionButton } from '../form.ts'
import { tenantCall } from '../operator-call.ts'
import type { View } from '../view.ts'
import { findChosenHotel } from './chosen-hotel.ts'
import { badge, type Section, time } from './section.ts'

const ROWS_MAX = 20

/** The work orders of the selected hotel that are neither verified nor cancelled. */
export const workOrdersSection: Section = {
  id: 'work-orders',
  title: 'Work orders',
  async show(context) {
    const hotel = await findChosenHotel(context)
    if (hotel === null) return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>`
    const { room, operator, view } = context
    const { tenantId, propertyId } = hotel
    const { listWorkOrders } = room.modules.maintenance.handlers
    const { workOrders } = await listWorkOrders(
      { params: { propertyId }, query: { active: true, limit: ROWS_MAX } },
      tenantCall(operator, tenantId),
    )
    if (workOrders.length === 0) return html`<p>No work orders.</p>`
    return html`
      <div class="scroll"><table>
        <thead><tr><th scope="col">Order</th><th scope="col">Room</th><th scope="col">Severity</th>
          <th scope="col">Status</th><th scope="col">Created</th>
          <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${workOrders.map((order) => orderRow(order, { tenantId, view }))}</tbody>
      </table></div>`
  },
}

interface Place {
  readonly tenantId: Parameters<typeof tenantCall>[1]
  readonly view: View
}

function orderRow(order: WorkOrder, { tenantId, view }: Place): Html {
  const { workOrderId, title, category, roomNumber, severity, status, blocksRoom } = order
  const place = { params: { tenantId, workOrderId }, view }
  return html`
    <tr>
      <th scope="row"><bdi>${title}</bdi> <small>${category}</small></th>
      <td>${roomNumber} ${blocksRoom && badge('bad', 'blocked')}</td>
      <td>${badge(severity === 'critical' ? 'bad' : 'plain', severity)}</td>
      <td>${badge(status === 'resolved' ? 'good' : 'wait', status.replaceAll('_', ' '))}</td>
      <td>${time(order.createdAt)}</td>
      <td>${actionButton(advanceWorkOrder, place, { text: 'Next step', about: title })}</td>
    </tr>`
}
