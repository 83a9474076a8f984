import { DEMO_CATEGORIES, type StoredAlert } from '../../modules/notification/module.ts'
import { type Html, html } from '../../page/html.ts'
import { raiseAlert } from '../actions/alert-actions.ts'
import { actionForm } from '../form.ts'
import { findChosenHotel } from './chosen-hotel.ts'
import { badge, type Section, type SectionContext, time } from './section.ts'

export const alertsSection: Section = {
  id: 'alerts',
  title: 'Alerts',
  async show(context) {
    const alerts = await context.room.modules.notification.recentAlerts()
    return html`
      ${await raiseForm(context)}
      <h3>Recent alerts of all hotels</h3>
      ${alerts.length === 0 ? html`<p>No alerts yet.</p>` : alertTable(alerts)}`
  },
}

async function raiseForm(context: SectionContext): Promise<Html> {
  const hotel = await findChosenHotel(context)
  if (hotel === null) return html`<p>Choose a <a href="#tenants">tenant</a> to raise an alert.</p>`
  const { tenantId, propertyId, name } = hotel
  const options = DEMO_CATEGORIES.map(
    (category) => html`<option value="${category}">${category.replaceAll('_', ' ')}</option>`,
  )
  const fields = html`
    <label for="alert-category">Alert for <bdi>${name.default}</bdi></label>
    <select id="alert-category" name="category">${options}</select>
    <button class="quiet">Raise the alert</button>`
  const place = { params: { tenantId, propertyId }, view: context.view, className: 'search' }
  return actionForm(raiseAlert, place, fields)
}

function alertTable(alerts: readonly StoredAlert[]): Html {
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Alert</th><th scope="col">Severity</th><th scope="col">State</th>
        <th scope="col">About</th><th scope="col" class="number">Acknowledged by</th>
        <th scope="col">Raised</th></tr></thead>
      <tbody>${alerts.map(alertRow)}</tbody>
    </table></div>`
}

function alertRow(alert: StoredAlert): Html {
  const { category, severity, state, resourceId, acknowledgedBy, raisedAt } = alert
  return html`
    <tr>
      <th scope="row"><code>${category}</code></th>
      <td>${badge(severity === 'critical' ? 'bad' : 'plain', severity)}</td>
      <td>${badge(state === 'open' ? 'wait' : 'good', state)}</td>
      <td><code>${resourceId}</code></td>
      <td class="number">${acknowledgedBy.length}</td>
      <td>${time(raisedAt)}</td>
    </tr>`
}
