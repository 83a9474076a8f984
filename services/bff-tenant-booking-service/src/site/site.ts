import type { CurrencyCode, Locale, TenantId } from '@melmastoon/domain'

/** How a request names the site: by a subdomain, the tenant's own domain, or the path. */
export type AddressKind = 'subdomain' | 'domain' | 'path'

/** The booking site of one tenant, resolved once per request (T1). */
export interface Site {
  readonly tenantId: TenantId
  readonly slug: string
  readonly address: AddressKind
  /** Of its pages, for links and return addresses. */
  readonly origin: string
  /** Only documents of existing stays are served then (D23). */
  readonly isSuspended: boolean
  readonly brandName: string
  readonly timeZone: string
  readonly locales: readonly Locale[]
  readonly defaultLocale: Locale
  readonly currencies: readonly CurrencyCode[]
  readonly primaryCurrency: CurrencyCode
  readonly configVersion: string
  readonly paymentEnabled: boolean
  /** Opt-in: no telemetry until a guest consents. */
  readonly telemetryConsent: 'opt-out' | 'opt-in'
}

/** Where the routes of the shared host begin; the path names the tenant. */
export const SHARED_API_PATH = '/bff/tenant-booking/v1'

/** Where the API of a site is reached, for links that programs open. */
export function apiUrl({ address, origin, slug }: Pick<Site, 'address' | 'origin' | 'slug'>) {
  if (address !== 'path') return `${origin}/api`
  return `${new URL(origin).origin}${SHARED_API_PATH}/${slug}`
}
