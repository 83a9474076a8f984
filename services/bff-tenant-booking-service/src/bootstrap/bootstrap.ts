import { Section } from '@melmastoon/bff/sections'
import { currency, id, instant, locale, named, text } from '@melmastoon/upstream-contracts'
import { PAYMENT_METHODS } from '@melmastoon/upstream-contracts/payment'
import { FlowConfig, ThemeTokens, ThemeVersion } from '@melmastoon/upstream-contracts/theme'
import { type Static, Type } from 'typebox'
import { HandoffPayload } from '../handoff/handoff-payload.ts'
import { PolicyVM } from '../policies/policy.ts'

const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const direction = () => Type.Enum(['ltr', 'rtl'])

const ThemeBundle = named(
  'ThemeBundle',
  Type.Object({
    layoutPreset: ThemeVersion.properties.layoutPreset,
    tokens: ThemeTokens,
    logoUrl: nullable(text(500)),
    locale: locale(),
    direction: direction(),
    currency: currency(),
  }),
)

const LocaleEntry = named(
  'LocaleEntry',
  Type.Object({
    tag: locale(),
    displayName: Type.String({ description: 'In the language itself' }),
    direction: direction(),
    isRtl: Type.Boolean(),
    isDefault: Type.Boolean(),
  }),
  { tag: 'ps-AF', displayName: 'پښتو', direction: 'rtl', isRtl: true, isDefault: false },
)

const CurrencyEntry = named(
  'CurrencyEntry',
  Type.Object({
    code: currency(),
    symbol: Type.String(),
    decimalPlaces: Type.Integer({ minimum: 0, maximum: 4 }),
    isPrimary: Type.Boolean(),
  }),
  { code: 'AFN', symbol: '؋', decimalPlaces: 2, isPrimary: true },
)

export const PaymentMethodVM = named(
  'PaymentMethod',
  Type.Object({
    method: Type.Enum([...PAYMENT_METHODS]),
    guestAction: Type.Enum(['redirect', 'phone', 'none'], {
      description:
        'What the guest does: pay on a page of the provider, give a phone number, nothing',
    }),
  }),
  { method: 'card', guestAction: 'redirect' },
)

export type PaymentMethodVM = Static<typeof PaymentMethodVM>

/** The part that all responses for one tenant, locale and currency share. */
export const SharedBootstrap = Type.Object({
  tenantId: id('tnt'),
  tenantSlug: Type.String(),
  brandName: Type.String(),
  brandTagline: nullable(Type.String()),
  timeZone: Type.String(),
  checkInTime: Type.String({ examples: ['14:00'] }),
  checkOutTime: Type.String({ examples: ['12:00'] }),
  theme: ThemeBundle,
  flowConfig: named('FlowConfig', FlowConfig),
  locales: Type.Array(LocaleEntry),
  currencies: Type.Array(CurrencyEntry),
  paymentMethods: Type.Array(PaymentMethodVM, { description: 'In the order of the hotel' }),
  hotels: Type.Array(Type.Object({ propertyId: id('ppt'), name: Type.String() })),
  policies: Type.Array(PolicyVM),
  composedAt: instant(),
  composedFrom: Type.Object({ themeVersion: Type.String(), tenantConfigVersion: Type.String() }),
  degraded: Type.Boolean(),
  sections: Type.Object({ tenant: Section, theme: Section, hotels: Section }),
})

export type SharedBootstrap = Static<typeof SharedBootstrap>

/** The part of one response, never cached. */
const ResponsePart = Type.Object({
  handoffPayload: nullable(HandoffPayload),
  handoffArrivalId: nullable(id('bha')),
  serverTime: instant(),
  csp: Type.Object({
    nonce: Type.String({
      pattern: '^[A-Za-z0-9_-]{22}$',
      description: 'For inline scripts and styles of this page load only',
    }),
  }),
})

export type ResponsePart = Static<typeof ResponsePart>

export const TenantBootstrap = named(
  'TenantBootstrap',
  Type.Object({ ...SharedBootstrap.properties, ...ResponsePart.properties }),
)
