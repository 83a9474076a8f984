import { isId, type PropertyId, type TenantId } from '@melmastoon/domain'

/** What the page shows; it is all in its address. */
export interface View {
  readonly q: string
  readonly tenant: TenantId | null
  readonly property: PropertyId | null
}

const QUERY_MAX = 80

/** Nonsense in an address shows less; it is no reason to show nothing. */
export function readView(query: unknown): View {
  const fields = typeof query === 'object' && query !== null ? { ...query } : {}
  const { q, tenant, property } = fields as Record<string, unknown>
  return {
    q: typeof q === 'string' ? q.trim().slice(0, QUERY_MAX) : '',
    tenant: isId('tnt', tenant) ? tenant : null,
    property: isId('ppt', property) ? property : null,
  }
}

/** Only what a view has goes into a link, so none leads elsewhere. */
export function viewUrl(path: string, view: Partial<View>, more: Record<string, string> = {}) {
  const { q, tenant, property } = view
  const fields = { q, tenant, property, ...more }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
