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
  readonly brandName: string
  readonly timeZone: string
  readonly locales: readonly Locale[]
  readonly defaultLocale: Locale
  readonly currencies: readonly CurrencyCode[]
  readonly primaryCurrency: CurrencyCode
  readonly configVersion: string
  readonly paymentEnabled: boolean
}
