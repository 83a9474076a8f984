import { RULE_CATEGORIES, type StoredSuggestion } from '../../modules/ai/module.ts'
import { type Html, html } from '../../page/html.ts'
import {
  expireSuggestion,
  proposeSuggestion,
  withdrawSuggestion,
} from '../actions/suggestion-actions.ts'
import { actionButton, actionForm } from '../form.ts'
import type { View } from '../view.ts'
import { findChosenHotel } from './chosen-hotel.ts'
import { badge, type Section, type SectionContext, time } from './section.ts'

export const suggestionsSection: Section = {
  id: 'suggestions',
  title: 'AI suggestions',
  async show(context) {
    const suggestions = await context.room.modules.ai.recentSuggestions()
    return html`
      <p>Suggestions are made by fixed rules from the rooms sold, not by a model.</p>
      ${await proposeForm(context)}
      <h3>Recent suggestions for all hotels</h3>
      ${suggestions.length === 0 ? html`<p>No suggestions yet.</p>` : table(suggestions, context.view)}`
  },
}

async function proposeForm(context: SectionContext): Promise<Html> {
  const hotel = await findChosenHotel(context)
  if (hotel === null) return html`<p>Choose a <a href="#tenants">tenant</a> to propose one.</p>`
  const { tenantId, propertyId, name } = hotel
  const options = RULE_CATEGORIES.map(
    (category) => html`<option value="${category}">${category.replaceAll('_', ' ')}</option>`,
  )
  const fields = html`
    <label for="suggestion-category">Suggestion for <bdi>${name.default}</bdi></label>
    <select id="suggestion-category" name="category">${options}</select>
    <button class="quiet">Propose the suggestion</button>`
  const place = { params: { tenantId, propertyId }, view: context.view, className: 'search' }
  return actionForm(proposeSuggestion, place, fields)
}

function table(suggestions: readonly StoredSuggestion[], view: View): Html {
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Suggestion</th><th scope="col">For</th><th scope="col">State</th>
        <th scope="col" class="number">Confidence</th><th scope="col">Expires</th>
        <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${suggestions.map((suggestion) => row(suggestion, view))}</tbody>
    </table></div>`
}

function row({ tenantId, detail }: StoredSuggestion, view: View): Html {
  const { suggestionId, category, state, provenance } = detail
  const place = { params: { tenantId, suggestionId }, view }
  return html`
    <tr>
      <th scope="row"><code>${category}</code></th>
      <td>${detail.class}</td>
      <td>${badge(state === 'proposed' ? 'wait' : 'plain', state)}</td>
      <td class="number">${provenance.confidence}</td>
      <td>${time(provenance.expiresAt)}</td>
      <td>${
        state === 'proposed' &&
        html`${actionButton(withdrawSuggestion, place, { text: 'Withdraw', about: suggestionId })}
        ${actionButton(expireSuggestion, place, { text: 'Expire', about: suggestionId })}`
      }</td>
    </tr>`
}
