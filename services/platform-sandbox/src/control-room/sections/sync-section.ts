import type { DeviceCursor } from '../../modules/sync/module.ts'
import { type Html, html } from '../../page/html.ts'
import { resetCursor } from '../actions/sync-actions.ts'
import { actionButton } from '../form.ts'
import type { View } from '../view.ts'
import { type Section, time } from './section.ts'

export const syncSection: Section = {
  id: 'sync',
  title: 'Sync cursors',
  async show({ room, view }) {
    const cursors = await room.modules.sync.recentCursors()
    if (cursors.length === 0) return html`<p>No device has synchronized yet.</p>`
    return html`
      <div class="scroll"><table>
        <thead><tr><th scope="col">Device</th><th scope="col">Pulled up to</th>
          <th scope="col">Pushed up to</th><th scope="col" class="number">Version</th>
          <th scope="col">Changed</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${cursors.map((cursor) => cursorRow(cursor, view))}</tbody>
      </table></div>`
  },
}

function cursorRow(cursor: DeviceCursor, view: View): Html {
  const { tenantId, deviceId, pullCursor, pushAck, version, updatedAt } = cursor
  const reset = actionButton(
    resetCursor,
    { params: { tenantId, deviceId }, view },
    { text: 'Reset', about: deviceId },
  )
  return html`
    <tr>
      <th scope="row"><code>${deviceId}</code></th>
      <td>${pullCursor}</td>
      <td>${pushAck}</td>
      <td class="number">${version}</td>
      <td>${time(updatedAt)}</td>
      <td>${reset}</td>
    </tr>`
}
