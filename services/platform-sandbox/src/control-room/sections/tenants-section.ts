import type { TenantSummary } from '@melmastoon/upstream-contracts/tenant'
import { type Html, html } from '../../page/html.ts'
import { reactivateTenant, suspendTenant } from '../actions/tenant-actions.ts'
import { actionButton } from '../form.ts'
import { operatorCall } from '../operator-call.ts'
import { type View, viewUrl } from '../view.ts'
import { badge, type Section } from './section.ts'

const SHOWN_MAX = 12

export const tenantsSection: Section = {
  id: 'tenants',
  title: 'Tenants',
  async show({ room, view, operator }) {
    const query = { limit: SHOWN_MAX, ...(view.q !== '' && { q: view.q }) }
    const { listTenants } = room.modules.tenant.handlers
    const { tenants, nextCursor } = await listTenants({ query }, operatorCall(operator))
    return html`
      ${searchForm(view)}
      ${tenants.length === 0 ? html`<p>No tenant matches.</p>` : table(tenants, view)}
      ${nextCursor !== undefined && html`<p>There are more results: search by name.</p>`}`
  },
}

function searchForm(view: View): Html {
  const { tenant, property } = view
  return html`
    <form class="search" method="get" action="/#tenants" role="search">
      ${tenant && html`<input type="hidden" name="tenant" value="${tenant}">`}
      ${property && html`<input type="hidden" name="property" value="${property}">`}
      <label for="q">Part of a name or slug</label>
      <input type="search" id="q" name="q" maxlength="80" value="${view.q}">
      <button class="quiet">Search</button>
    </form>`
}

function table(tenants: readonly TenantSummary[], view: View): Html {
  return html`
    <div class="scroll"><table>
      <thead><tr><th scope="col">Tenant</th><th scope="col">State</th><th scope="col">Country</th>
        <th scope="col">Config</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${tenants.map((tenant) => row(tenant, view))}</tbody>
    </table></div>`
}

function row(tenant: TenantSummary, view: View): Html {
  const { tenantId, displayName, slug, status, country, configVersion } = tenant
  const open = `${viewUrl('/', { q: view.q, tenant: tenantId })}#theme`
  const current = view.tenant === tenantId && html` aria-current="true"`
  return html`
    <tr>
      <th scope="row"><a href="${open}"${current}><bdi>${displayName.default}</bdi></a>
        <small><code>${slug}</code></small></th>
      <td>${badge(status === 'active' ? 'good' : 'bad', status)}</td>
      <td>${country}</td>
      <td>v${configVersion}</td>
      <td>${statusButton(tenant, view)}</td>
    </tr>`
}

function statusButton({ tenantId, displayName, status }: TenantSummary, view: View): Html | null {
  const place = { params: { tenantId }, view }
  const about = displayName.default
  if (status === 'active') return actionButton(suspendTenant, place, { text: 'Suspend', about })
  if (status !== 'suspended') return null
  return actionButton(reactivateTenant, place, { text: 'Reactivate', about })
}
