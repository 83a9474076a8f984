import { isDegraded } from '@melmastoon/bff/sections'
import {
  type CurrencyCode,
  currencyExponent,
  currencySymbol,
  directionOf,
  LOCALE_NAMES,
  type Locale,
  textFor,
  toIsoDateTime,
} from '@melmastoon/domain'
import { policiesOf } from '../policies/policy.ts'
import type { SiteHotel } from '../policies/read-hotels.ts'
import type { SiteSettings } from '../site/read-tenant-settings.ts'
import type { Site } from '../site/site.ts'
import type { PaymentMethodVM, SharedBootstrap } from './bootstrap.ts'
import type { SiteTheme } from './theme.ts'

export interface BootstrapParts {
  readonly site: Pick<Site, 'tenantId' | 'slug'>
  readonly settings: SiteSettings
  readonly theme: SiteTheme
  readonly hotels: readonly SiteHotel[]
  readonly sections: SharedBootstrap['sections']
  readonly locale: Locale
  readonly currency: CurrencyCode
  readonly now: Date
}

/** Every member is named: undeclared members of an upstream response are dropped. */
export function composeBootstrap(parts: BootstrapParts): SharedBootstrap {
  const { site, settings, theme, hotels, sections, locale, currency } = parts
  const { config } = settings
  const { layoutPreset, tokens, logoUrl, flow } = theme
  return {
    tenantId: site.tenantId,
    tenantSlug: site.slug,
    brandName: brandNameOf(parts),
    brandTagline: theme.tagline === undefined ? null : textFor(theme.tagline, locale),
    timeZone: config.timeZone,
    checkInTime: config.checkInTime,
    checkOutTime: config.checkOutTime,
    theme: { layoutPreset, tokens, logoUrl, locale, direction: directionOf(locale), currency },
    flowConfig: flow,
    locales: config.locales.map((tag) => localeEntry(tag, config.defaultLocale)),
    currencies: config.currencies.map((code) => currencyEntry(code, config.primaryCurrency)),
    paymentMethods: paymentMethodsOf(settings, theme),
    hotels: hotels.map(({ propertyId, name }) => ({ propertyId, name: textFor(name, locale) })),
    policies: policiesOf(settings, hotels, locale),
    composedAt: toIsoDateTime(parts.now),
    composedFrom: { themeVersion: theme.version, tenantConfigVersion: String(config.version) },
    degraded: isDegraded(sections),
    sections: { tenant: sections.tenant, theme: sections.theme, hotels: sections.hotels },
  }
}

/** The default theme has no name of its own. */
function brandNameOf({ theme, settings, locale }: BootstrapParts): string {
  return textFor(theme.brandName, locale) || textFor(settings.displayName, locale)
}

function localeEntry(tag: Locale, defaultLocale: Locale) {
  const direction = directionOf(tag)
  return {
    tag,
    displayName: LOCALE_NAMES[tag],
    direction,
    isRtl: direction === 'rtl',
    isDefault: tag === defaultLocale,
  }
}

function currencyEntry(code: CurrencyCode, primary: CurrencyCode) {
  return {
    code,
    symbol: currencySymbol(code),
    decimalPlaces: currencyExponent(code),
    isPrimary: code === primary,
  }
}

const GUEST_ACTIONS: Readonly<Record<PaymentMethodVM['method'], PaymentMethodVM['guestAction']>> = {
  card: 'redirect',
  mobile_money: 'phone',
  cash_on_arrival: 'none',
}

/** Those of the tenant: first the ones that the theme orders, then the others. */
function paymentMethodsOf({ config }: SiteSettings, { flow }: SiteTheme): PaymentMethodVM[] {
  if (!config.paymentEnabled) return []
  const offered = new Set(config.paymentMethods)
  const ordered = new Set([
    ...flow.paymentRails.filter((method) => offered.has(method)),
    ...config.paymentMethods,
  ])
  return [...ordered].map((method) => ({ method, guestAction: GUEST_ACTIONS[method] }))
}
