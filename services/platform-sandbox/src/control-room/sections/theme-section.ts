import type { ThemeVersion } from '@melmastoon/upstream-contracts/theme'
import { type Html, html } from '../../page/html.ts'
import { publishNextTheme, readThemes, rollBackTheme } from '../actions/theme-actions.ts'
import { actionButton } from '../form.ts'
import { badge, type Section, time } from './section.ts'

const SHOWN_MAX = 8

export const themeSection: Section = {
  id: 'theme',
  title: 'Theme',
  async show({ room, view, operator }) {
    const { tenant: tenantId } = view
    if (tenantId === null) return html`<p>Choose a <a href="#tenants">tenant</a> first.</p>`
    const { published, versions } = await readThemes(room, tenantId, operator)
    const place = { params: { tenantId }, view }
    return html`
      <p><bdi>${published.brandName.default}</bdi> shows version ${published.version}.</p>
      <div class="buttons">
        ${actionButton(publishNextTheme, place, { text: 'Publish next theme' })}
        ${actionButton(rollBackTheme, place, { text: 'Roll back' })}
      </div>
      <div class="scroll"><table>
        <thead><tr><th scope="col">Version</th><th scope="col">State</th>
          <th scope="col">Light</th><th scope="col">Dark</th><th scope="col">Published</th></tr>
        </thead>
        <tbody>${versions.slice(0, SHOWN_MAX).map(row)}</tbody>
      </table></div>`
  },
}

function row({ version, status, tokens, publishedAt }: ThemeVersion): Html {
  return html`
    <tr>
      <th scope="row">v${version}</th>
      <td>${badge(status === 'published' ? 'good' : 'plain', status)}</td>
      <td>${swatches(tokens.light)}</td>
      <td>${swatches(tokens.dark)}</td>
      <td>${publishedAt !== undefined && time(publishedAt)}</td>
    </tr>`
}

const SHOWN_ROLES = ['primary', 'accent', 'surface', 'onSurface', 'danger'] as const
const SIDE = 22

/** An image, because the content security policy forbids inline styles. */
function swatches(colors: ThemeVersion['tokens']['light']): Html {
  const label = SHOWN_ROLES.map((role) => `${role} ${colors[role]}`).join(', ')
  const squares = SHOWN_ROLES.map(
    (role, index) =>
      html`<rect x="${index * SIDE}" width="${SIDE}" height="${SIDE}" fill="${colors[role]}"/>`,
  )
  const width = SHOWN_ROLES.length * SIDE
  return html`<svg class="swatches" role="img" aria-label="${label}" width="${width}"
    height="${SIDE}"><title>${label}</title>${squares}</svg>`
}
