import { isId, type PropertyId, type TenantId } from '@melmastoon/domain'

/** What the page shows; encoded in its URL. */
export interface View {
  readonly q: string
  readonly tenant: TenantId | null
  readonly property: PropertyId | null
}

const QUERY_MAX = 80

/** Invalid parameters are ignored. */
export function readView(query: unknown): View {
  const fields = typeof query === 'object' && query !== null ? { ...query } : {}
  const { q, tenant, property } = fields as Record<string, unknown>
  return {
    q: typeof q === 'string' ? q.trim().slice(0, QUERY_MAX) : '',
    tenant: isId('tnt', tenant) ? tenant : null,
    property: isId('ppt', property) ? property : null,
  }
}

/** Links contain only known parameters, so that none leads elsewhere. */
export function viewUrl(path: string, view: Partial<View>, more: Record<string, string> = {}) {
  const { q, tenant, property } = view
  const fields = { q, tenant, property, ...more }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
