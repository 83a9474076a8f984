import { type Html, html } from '../../page/html.ts'
import { TRIGGERS, type Trigger } from '../../scenarios/triggers.ts'
import type { Section } from './section.ts'

export const triggersSection: Section = {
  id: 'triggers',
  title: 'Triggers',
  async show() {
    return html`
      <p>Scenarios that a header or a value of a single call triggers.</p>
      <div class="scroll"><table>
        <thead><tr><th scope="col">Trigger</th><th scope="col">Where</th>
          <th scope="col">Effect</th></tr></thead>
        <tbody>${TRIGGERS.map(row)}</tbody>
      </table></div>`
  },
}

function row({ value, where, does }: Trigger): Html {
  return html`
    <tr><th scope="row"><code>${value}</code></th><td>${where}</td><td>${does}</td></tr>`
}
