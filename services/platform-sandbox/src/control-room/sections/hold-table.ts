import type { TenantId } from '@melmastoon/domain'
import type { ActiveHold } from '../../modules/reservation/module.ts'
import { type Html, html } from '../../page/html.ts'
import { expireHold } from '../actions/hold-actions.ts'
import { actionButton } from '../form.ts'
import type { View } from '../view.ts'
import { time } from './section.ts'

interface Place {
  readonly tenantId: TenantId
  readonly view: View
}

/** The active holds of a hotel, each with a button. */
export function holdTable(holds: readonly ActiveHold[], place: Place): Html {
  if (holds.length === 0) return html`<p>No rooms are held at present.</p>`
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Reservation</th><th scope="col">Held until</th>
        <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${holds.map((hold) => holdRow(hold, place))}</tbody>
    </table></div>`
}

function holdRow({ reservationId, code, expiresAt }: ActiveHold, { tenantId, view }: Place): Html {
  const place = { params: { tenantId, reservationId }, view }
  return html`
    <tr>
      <th scope="row"><code>${code}</code></th>
      <td>${time(expiresAt)}</td>
      <td>${actionButton(expireHold, place, { text: 'Expire now', about: code })}</td>
    </tr>`
}
