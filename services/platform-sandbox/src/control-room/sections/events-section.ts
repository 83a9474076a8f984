import { type Html, html } from '../../page/html.ts'
import { type EventRow, recentEvents } from '../control-room-sql.ts'
import { badge, type Section, time } from './section.ts'

const SHOWN_MAX = 20

export const eventsSection: Section = {
  id: 'events',
  title: 'Events',
  async show({ room }) {
    const rows = await room.relayDb.query(recentEvents(SHOWN_MAX))
    if (rows.length === 0) return html`<p>No events yet.</p>`
    return html`
      <div class="scroll"><table>
        <thead><tr><th scope="col">Subject</th><th scope="col">Occurred</th>
          <th scope="col">Published</th></tr></thead>
        <tbody>${rows.map(row)}</tbody>
      </table></div>`
  },
}

function row({ subject, occurred_at, published_at, status }: EventRow): Html {
  const waiting = badge(status === 'dead' ? 'bad' : 'wait', status)
  return html`
    <tr>
      <th scope="row"><code>${subject}</code></th>
      <td>${time(occurred_at)}</td>
      <td>${published_at === null ? waiting : time(published_at)}</td>
    </tr>`
}
