import { type Html, html } from '../../page/html.ts'
import { latestWorld, type SeededWorld, type TableSize, tableSizes } from '../control-room-sql.ts'
import type { Section } from './section.ts'

const counted = new Intl.NumberFormat('en')

export const worldSection: Section = {
  id: 'world',
  title: 'World',
  async show({ room }) {
    const [[world], sizes] = await Promise.all([
      room.relayDb.query(latestWorld()),
      room.relayDb.query(tableSizes()),
    ])
    return html`
      ${world === undefined ? html`<p>No demo world has been seeded.</p>` : facts(world)}
      <details><summary>How many of everything, about</summary>${table(sizes)}</details>`
  },
}

function facts({ seed, anchor_date, properties }: SeededWorld): Html {
  return html`
    <dl class="facts">
      <div><dt>Seed</dt><dd><code>${seed}</code></dd></div>
      <div><dt>Today there</dt><dd><time datetime="${anchor_date}">${anchor_date}</time></dd></div>
      <div><dt>Generated hotels</dt><dd>${counted.format(properties)}</dd></div>
    </dl>`
}

function table(sizes: readonly TableSize[]): Html {
  const rows = sizes.map(
    ({ name, rows: count }) => html`
      <tr><th scope="row"><code>${name}</code></th>
        <td class="number">${counted.format(count)}</td></tr>`,
  )
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Table</th><th scope="col" class="number">Rows</th></tr></thead>
      <tbody>${rows}</tbody>
    </table></div>`
}
