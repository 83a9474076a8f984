import type { AddressKind } from './site.ts'

/** The part of an address that identifies the tenant. */
export type SiteAddress =
  | { readonly kind: Exclude<AddressKind, 'domain'>; readonly slug: string }
  | { readonly kind: 'domain'; readonly domain: string }

/** A DNS label without the third and fourth dash of an encoded one (RFC 5891 §4.2.3.1). */
const SLUG = /^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** As in the contract of the tenant service. */
const DOMAIN_LENGTH_MAX = 150
const NUMERIC = /^[\d.]+$/

/** Null when it cannot be the slug of a tenant. */
export function pathAddress(slug: string): SiteAddress | null {
  return SLUG.test(slug) ? { kind: 'path', slug } : null
}

/**
 * A subdomain of the platform's domains is a slug, any other name is a tenant's own domain. Null
 * for the platform's domains themselves, deeper subdomains and addresses of machines.
 * @param host as `createHostReader` returns it.
 */
export function hostAddress(
  host: string | undefined,
  suffixes: readonly string[],
): SiteAddress | null {
  if (host === undefined || NUMERIC.test(host)) return null
  for (const suffix of suffixes) {
    if (host === suffix) return null
    if (host.endsWith(`.${suffix}`)) return subdomain(host.slice(0, -suffix.length - 1))
  }
  if (!host.includes('.') || host.length > DOMAIN_LENGTH_MAX) return null
  return { kind: 'domain', domain: host }
}

function subdomain(label: string): SiteAddress | null {
  return SLUG.test(label) ? { kind: 'subdomain', slug: label } : null
}
