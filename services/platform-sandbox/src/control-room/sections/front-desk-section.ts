import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { FolioSummary } from '@melmastoon/upstream-contracts/billing'
import type { StaffStay, StayView } from '@melmastoon/upstream-contracts/reservation'
import { readFloorPlan } from '../../modules/property/module.ts'
import { type Html, html } from '../../page/html.ts'
import { chargeFolio, payFolio } from '../actions/folio-actions.ts'
import { checkInGuest, checkOutGuest, markGuestNoShow } from '../actions/stay-actions.ts'
import { actionButton } from '../form.ts'
import { tenantCall } from '../operator-call.ts'
import { type Section, type SectionContext, showAmount } from './section.ts'

const ROWS_MAX = 12

/** The guests of the selected hotel today, as its front desk sees them. */
export const frontDeskSection: Section = {
  id: 'front-desk',
  title: 'Front desk',
  async show(context) {
    const { room, view, operator } = context
    const { tenant } = view
    if (tenant === null) return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>`
    const call = tenantCall(operator, tenant)
    const { listByTenant } = room.modules.property.handlers
    const { properties } = await listByTenant({ query: { limit: 20 } }, call)
    const hotel = properties.find((each) => each.propertyId === view.property) ?? properties[0]
    if (hotel === undefined) return html`<p>The tenant has no hotel.</p>`
    const desk = { context, tenantId: tenant, propertyId: hotel.propertyId }
    const arrivals = await staysOf(desk, 'arrivals')
    const expected = arrivals.filter(({ status }) => status === 'confirmed')
    const present = await staysOf(desk, 'in_house')
    const folios = await foliosOf(desk, present)
    return html`
      <h3>Expected arrivals (${expected.length})</h3>
      ${stayTable(expected.slice(0, ROWS_MAX).map((stay) => arrivalRow(stay, desk)))}
      <h3>In house (${present.length})</h3>
      ${stayTable(present.slice(0, ROWS_MAX).map((stay) => guestRow(stay, desk, folios)))}`
  },
}

interface Desk {
  readonly context: SectionContext
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

async function staysOf({ context, tenantId, propertyId }: Desk, view: StayView) {
  const { room, operator } = context
  const { listForDay } = room.modules.reservation.handlers
  const call = tenantCall(operator, tenantId)
  const { today: date } = await readFloorPlan(room.db, { tenantId, propertyId })
  const { stays } = await listForDay({ params: { propertyId }, query: { view, date } }, call)
  return stays.toSorted((a, b) => (a.checkOut < b.checkOut ? -1 : 1))
}

async function foliosOf({ context, tenantId, propertyId }: Desk, stays: readonly StaffStay[]) {
  if (stays.length === 0) return new Map<string, FolioSummary>()
  const { room, operator } = context
  const query = { reservationIds: stays.map(({ reservationId }) => reservationId).join() }
  const { listFolios } = room.modules.billing.handlers
  const call = tenantCall(operator, tenantId)
  const { folios } = await listFolios({ params: { propertyId }, query }, call)
  return new Map(folios.map((folio) => [String(folio.reservationId), folio]))
}

function stayTable(rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p>None.</p>`
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Guest</th><th scope="col">Room</th><th scope="col">Stay</th>
        <th scope="col">Balance</th><th scope="col"><span class="unseen">Actions</span></th></tr>
      </thead>
      <tbody>${rows}</tbody>
    </table></div>`
}

function arrivalRow(stay: StaffStay, { context, tenantId }: Desk): Html {
  const { reservationId, code: about, total } = stay
  const place = { params: { tenantId, reservationId }, view: context.view }
  return stayRow(stay, showAmount(total), [
    actionButton(checkInGuest, place, { text: 'Check in', about }),
    actionButton(markGuestNoShow, place, { text: 'No-show', about }),
  ])
}

function guestRow(
  stay: StaffStay,
  { context, tenantId }: Desk,
  folios: ReadonlyMap<string, FolioSummary>,
): Html {
  const { reservationId, code: about } = stay
  const { view } = context
  const folio = folios.get(reservationId)
  const place = { params: { tenantId, reservationId }, view }
  const account = folio && { params: { tenantId, folioId: folio.folioId }, view }
  const isOwed = folio !== undefined && BigInt(folio.balance.amountMicro) > 0n
  return stayRow(stay, folio ? showAmount(folio.balance) : '', [
    actionButton(checkOutGuest, place, { text: 'Check out', about }),
    account && actionButton(chargeFolio, account, { text: 'Charge', about }),
    account && isOwed && actionButton(payFolio, account, { text: 'Pay', about }),
  ])
}

function stayRow(
  { guest, code, rooms, checkIn, checkOut }: StaffStay,
  balance: string,
  buttons: readonly (Html | undefined | false)[],
): Html {
  return html`
    <tr>
      <th scope="row"><bdi>${guest.fullName}</bdi> <small><code>${code}</code></small></th>
      <td>${rooms.map(({ number }) => number).join(', ')}</td>
      <td>${checkIn} – ${checkOut}</td>
      <td>${balance}</td>
      <td>${buttons}</td>
    </tr>`
}
