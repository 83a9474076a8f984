import type { RecentRequest } from '../../modules/lock/module.ts'
import { type Html, html } from '../../page/html.ts'
import { sendLockResponse, setReservationLocks } from '../actions/lock-actions.ts'
import { actionButton } from '../form.ts'
import type { View } from '../view.ts'
import { badge, time } from './section.ts'

const TONES = { accepted: 'wait', succeeded: 'good', failed: 'bad' } as const

/** With buttons that let the vendor respond, repeat itself or contradict itself. */
export function lockRequestTable(requests: readonly RecentRequest[], view: View): Html {
  if (requests.length === 0) return html`<p>No key actions yet.</p>`
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Request</th><th scope="col">State</th><th scope="col">Vendor</th>
        <th scope="col">Accepted</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${requests.map((request) => requestRow(request, view))}</tbody>
    </table></div>`
}

function requestRow(request: RecentRequest, view: View): Html {
  const { tenantId, requestId, reservationId, action, state, failureReason } = request
  const respond = (text: string, response: 'succeed' | 'fail' | 'repeat') =>
    actionButton(
      sendLockResponse,
      { params: { tenantId, requestId }, view },
      { text, about: requestId, fields: { response } },
    )
  const silence = actionButton(
    setReservationLocks,
    { params: { tenantId, reservationId }, view },
    { text: 'Silence the next', about: reservationId, fields: { scenario: 'never', times: 1 } },
  )
  return html`
    <tr>
      <th scope="row">${action} <small><code>${requestId}</code></small></th>
      <td>${badge(TONES[state], state)} ${failureReason}</td>
      <td>${request.vendor}</td>
      <td>${time(request.acceptedAt)}</td>
      <td>${respond('Confirm', 'succeed')} ${respond('Fail', 'fail')}
        ${respond('Repeat', 'repeat')} ${silence}</td>
    </tr>`
}
