import type { Tenant } from '@melmastoon/upstream-contracts/tenant'

/** Everything an operator may remember of a hotel. */
export function searchText(tenant: Pick<Tenant, 'slug' | 'legalName' | 'displayName'>): string {
  const { slug, legalName, displayName } = tenant
  const names = Object.values(displayName.localized ?? {})
  return [slug, legalName, displayName.default, ...names].join('\n').toLowerCase()
}
