import type { PropertyId, TenantId } from '@melmastoon/domain'
import { LOCK_VENDORS, type LockVendor } from '@melmastoon/upstream-contracts/lock'
import { LOCK_SCENARIOS, type SetScenario } from '../../modules/lock/module.ts'
import { type Html, html } from '../../page/html.ts'
import {
  restorePropertyLocks,
  restoreReservationLocks,
  setGateway,
  setPropertyLocks,
  setVendor,
} from '../actions/lock-actions.ts'
import { actionButton, actionForm } from '../form.ts'
import { tenantCall } from '../operator-call.ts'
import type { View } from '../view.ts'
import { lockRequestTable } from './lock-request-table.ts'
import { badge, type Section, type SectionContext } from './section.ts'

export const locksSection: Section = {
  id: 'locks',
  title: 'Locks',
  async show(context) {
    const { controls } = context.room.modules.lock
    const [hotel, requests] = await Promise.all([showHotel(context), controls.recentRequests()])
    return html`${hotel}
      <h3>Recent key actions</h3>
      ${lockRequestTable(requests, context.view)}`
  },
}

async function showHotel({ room, view, operator }: SectionContext): Promise<Html> {
  if (view.tenant === null) return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>`
  const call = tenantCall(operator, view.tenant)
  const { properties } = await room.modules.property.handlers.listByTenant({ query: {} }, call)
  const chosen = properties.find(({ propertyId }) => propertyId === view.property)
  const hotel = chosen ?? properties[0]
  if (hotel === undefined) return html`<p>The tenant has no hotel.</p>`
  const { propertyId, name } = hotel
  const params = { propertyId }
  const { vendor } = await room.modules.lock.handlers.getVendor({ params }, call)
  const scenarios = await room.modules.lock.controls.scenariosOf(view.tenant)
  const place = { params: { tenantId: view.tenant, propertyId }, view }
  return html`
    <p><strong><bdi>${name.default}</bdi></strong> ${badge('plain', vendor)}</p>
    ${scenarioForm(place)}
    ${vendorForm(place, vendor)}
    <div class="buttons">
      ${actionButton(setGateway, place, { text: 'Disconnect the gateway', fields: { gateway: 'offline' } })}
      ${actionButton(setGateway, place, { text: 'Connect the gateway', fields: { gateway: 'online' } })}
    </div>
    ${scenarioTable(scenarios, place)}`
}

interface Place {
  readonly params: { readonly tenantId: TenantId; readonly propertyId: PropertyId }
  readonly view: View
}

function scenarioForm(place: Place): Html {
  const options = Object.entries(LOCK_SCENARIOS).map(
    ([name, does]) => html`<option value="${name}">${name}: ${does}</option>`,
  )
  const fields = html`
    <label for="lockScenario">Locks</label>
    <select id="lockScenario" name="scenario">${options}</select>
    <label for="lockTimes">Actions</label>
    <input id="lockTimes" name="times" type="number" min="1" max="1000" placeholder="all">
    <button class="quiet">Set the behaviour</button>`
  return actionForm(setPropertyLocks, { ...place, className: 'search' }, fields)
}

function vendorForm(place: Place, current: LockVendor): Html {
  const options = LOCK_VENDORS.map(
    (vendor) =>
      html`<option value="${vendor}"${vendor === current && html` selected`}>${vendor}</option>`,
  )
  const fields = html`
    <label for="lockVendor">Lock system</label>
    <select id="lockVendor" name="vendor">${options}</select>
    <button class="quiet">Replace</button>`
  return actionForm(setVendor, { ...place, className: 'search' }, fields)
}

function scenarioTable(scenarios: readonly SetScenario[], place: Place): Html {
  if (scenarios.length === 0) return html`<p>All locks of the tenant work.</p>`
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Applies to</th><th scope="col">Behaviour</th>
        <th scope="col" class="number">Actions left</th>
        <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${scenarios.map((scenario) => scenarioRow(scenario, place))}</tbody>
    </table></div>`
}

function scenarioRow({ owner, scenario, times }: SetScenario, { view }: Place): Html {
  const label = { text: 'Restore', about: scenario }
  const restore =
    'propertyId' in owner
      ? actionButton(restorePropertyLocks, { params: { ...owner }, view }, label)
      : actionButton(restoreReservationLocks, { params: { ...owner }, view }, label)
  const id = 'propertyId' in owner ? owner.propertyId : owner.reservationId
  return html`
    <tr>
      <th scope="row"><code>${id}</code></th>
      <td>${badge('bad', scenario)}</td>
      <td class="number">${times ?? 'all'}</td>
      <td>${restore}</td>
    </tr>`
}
