import type { TenantId } from '@melmastoon/domain'
import { OPERATOR_ROLES, type Operator } from '@melmastoon/upstream-contracts/tenant'
import type { ActiveSession } from '../../modules/iam/module.ts'
import { type Html, html } from '../../page/html.ts'
import {
  changeStaffRole,
  disableStaff,
  enableStaff,
  revokeStaffSession,
  rotateSigningKeys,
} from '../actions/staff-actions.ts'
import { actionButton, actionForm } from '../form.ts'
import { tenantCall } from '../operator-call.ts'
import type { View } from '../view.ts'
import { badge, type Section, time } from './section.ts'

export const staffSection: Section = {
  id: 'staff',
  title: 'Staff',
  async show({ room, view, operator }) {
    const { tenant: tenantId } = view
    const rotate = actionButton(
      rotateSigningKeys,
      { params: {}, view },
      { text: 'Rotate the signing key' },
    )
    if (tenantId === null) {
      return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>
        <div class="buttons">${rotate}</div>`
    }
    const { tenant, iam } = room.modules
    const call = tenantCall(operator, tenantId)
    const { operators } = await tenant.handlers.listOperators({ query: {} }, call)
    const sessions = await iam.activeSessions(tenantId)
    if (operators.length === 0) return html`<p>This tenant has no staff.</p>`
    return html`
      <div class="buttons">${rotate}</div>
      ${operatorTable(operators, { tenantId, view })}
      <h3>Sessions</h3>
      ${sessions.length === 0 ? html`<p>Nobody is signed in.</p>` : null}
      ${sessions.length > 0 && sessionTable(sessions, { operators, tenantId, view })}`
  },
}

interface Place {
  readonly tenantId: TenantId
  readonly view: View
}

function operatorTable(operators: readonly Operator[], place: Place): Html {
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Role</th>
        <th scope="col">Properties</th>
        <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${operators.map((operator) => operatorRow(operator, place))}</tbody>
    </table></div>`
}

function operatorRow(operator: Operator, { tenantId, view }: Place): Html {
  const { operatorId, displayName, status, roles, isLead, properties } = operator
  const place = { params: { tenantId, operatorId }, view }
  const isActive = status === 'active'
  const about = displayName
  return html`
    <tr>
      <th scope="row"><bdi>${displayName}</bdi> <small><code>${operatorId}</code></small></th>
      <td>${badge(isActive ? 'good' : 'bad', status)}</td>
      <td>${roles.join(', ')}${isLead && ' (lead)'} ${roleForm(operator, { tenantId, view })}</td>
      <td>${properties === '*' ? 'all' : properties.length}</td>
      <td>${
        isActive
          ? actionButton(disableStaff, place, { text: 'Disable', about })
          : actionButton(enableStaff, place, { text: 'Enable', about })
      }</td>
    </tr>`
}

function roleForm({ operatorId, displayName, roles }: Operator, { tenantId, view }: Place): Html {
  const options = OPERATOR_ROLES.map((role) => {
    const selected = roles.includes(role) && html` selected`
    return html`<option value="${role}"${selected}>${role}</option>`
  })
  return actionForm(
    changeStaffRole,
    { params: { tenantId, operatorId }, view },
    html`<label><span class="unseen">Role of ${displayName}</span>
      <select name="role">${options}</select></label>
      <button>Change<span class="unseen"> role of ${displayName}</span></button>`,
  )
}

interface SessionPlace extends Place {
  readonly operators: readonly Operator[]
}

function sessionTable(sessions: readonly ActiveSession[], place: SessionPlace): Html {
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Operator</th><th scope="col">Session</th>
        <th scope="col">Device</th><th scope="col">Signed in</th>
        <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${sessions.map((session) => sessionRow(session, place))}</tbody>
    </table></div>`
}

function sessionRow(session: ActiveSession, { operators, tenantId, view }: SessionPlace): Html {
  const { sessionId, operatorId, deviceId, signedInAt } = session
  const operator = operators.find((each) => each.operatorId === operatorId)
  const place = { params: { tenantId, sessionId }, view }
  return html`
    <tr>
      <th scope="row"><bdi>${operator?.displayName ?? operatorId}</bdi></th>
      <td><code>${sessionId}</code></td>
      <td><code>${deviceId}</code></td>
      <td>${time(signedInAt)}</td>
      <td>${actionButton(revokeStaffSession, place, { text: 'Sign out', about: sessionId })}</td>
    </tr>`
}
