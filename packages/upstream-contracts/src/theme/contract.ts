import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant, LocalizedString, text } from '../schemas.ts'

const Color = Type.String({ pattern: '^#[0-9a-f]{6}$' })

/** Used in a style sheet, so only a plain name is allowed. */
const FontFamily = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 -]{0,79}$' })

/**
 * Roles, not colours: a page uses `surface`, a theme defines its colour. `muted` is less prominent
 * text on the surface.
 */
export const ColorRoles = Type.Object({
  primary: Color,
  onPrimary: Color,
  surface: Color,
  onSurface: Color,
  muted: Color,
  accent: Color,
  onAccent: Color,
  danger: Color,
  onDanger: Color,
  border: Color,
})

export type ColorRoles = Static<typeof ColorRoles>

export const ThemeTokens = Type.Object({
  light: ColorRoles,
  dark: ColorRoles,
  typography: Type.Object({
    latin: FontFamily,
    arabic: FontFamily,
    scaleRatio: Type.Number({ minimum: 1, maximum: 1.6 }),
  }),
  radiusPx: Type.Integer({ minimum: 0, maximum: 32 }),
  spacingPx: Type.Integer({ minimum: 2, maximum: 16 }),
  motionMs: Type.Integer({ minimum: 0, maximum: 600 }),
})

export type ThemeTokens = Static<typeof ThemeTokens>

export const FLOW_STEPS = ['rooms', 'rates', 'details', 'payment', 'confirmation'] as const
export type FlowStep = (typeof FLOW_STEPS)[number]

/**
 * The order of the pages. All are required except `rates`, which may be part of `rooms`; details
 * come before the payment, and the confirmation is last.
 */
const steps = () => {
  return Type.Array(Type.Enum([...FLOW_STEPS]), { minItems: 4, maxItems: 5, uniqueItems: true })
}

const flow = {
  optionalFields: Type.Array(Type.Enum(['phone', 'arrival-time', 'special-requests', 'company']), {
    maxItems: 4,
  }),
  /** In the order in which they are offered. */
  paymentRails: Type.Array(Type.Enum(['cash_on_arrival', 'card', 'mobile_money']), { maxItems: 3 }),
}

export const FlowConfig = Type.Object({ steps: steps(), ...flow })
export type FlowConfig = Static<typeof FlowConfig>

/** Without `steps` the pages have the order of `FLOW_STEPS`. */
const FlowDraft = Type.Object({ steps: Type.Optional(steps()), ...flow })

const Draft = {
  brandName: LocalizedString,
  tagline: Type.Optional(LocalizedString),
  layoutPreset: Type.Enum(['hero-with-search', 'gallery-first', 'quiet']),
  tokens: ThemeTokens,
}

export const ThemeVersion = Type.Object({
  tenantId: id('tnt'),
  themeId: id('thm'),
  version: Type.Integer({ minimum: 1 }),
  status: Type.Enum(['draft', 'published', 'archived']),
  ...Draft,
  flow: FlowConfig,
  logoUrl: text(500),
  createdAt: instant(),
  publishedAt: Type.Optional(instant()),
})

export type ThemeVersion = Static<typeof ThemeVersion>

export const BrandPeek = Type.Object({
  tenantId: id('tnt'),
  primaryColor: Color,
  logoUrl: text(500),
  brandName: LocalizedString,
  version: Type.Integer({ minimum: 1 }),
})

export type BrandPeek = Static<typeof BrandPeek>

const TenantParams = Type.Object({ tenantId: id('tnt') })
const VersionParams = Type.Object({
  tenantId: id('tnt'),
  version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
})

export const themeContract = defineContract({
  upstream: 'theme',
  basePath: '/api/v1',
  operations: {
    peekBrands: {
      method: 'POST',
      path: '/themes/peeks',
      summary: 'Get name, logo and colour of up to a hundred tenants; unknown ones are omitted',
      body: Type.Object({ tenantIds: Type.Array(id('tnt'), { minItems: 1, maxItems: 100 }) }),
      response: Type.Object({ peeks: Type.Array(BrandPeek, { maxItems: 100 }) }),
      errorCodes: [],
    },
    getPublished: {
      method: 'GET',
      path: '/themes/:tenantId/published',
      summary: 'Get the published theme',
      params: TenantParams,
      response: ThemeVersion,
      errorCodes: ['MELMASTOON.THEME.NOT_FOUND'],
    },
    listVersions: {
      method: 'GET',
      path: '/themes/:tenantId/versions',
      summary: 'List all versions, newest first',
      params: TenantParams,
      response: Type.Object({ versions: Type.Array(ThemeVersion, { maxItems: 200 }) }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.THEME.NOT_FOUND'],
    },
    createVersion: {
      method: 'POST',
      path: '/themes/:tenantId/versions',
      summary: 'Create a draft version',
      status: 201,
      params: TenantParams,
      body: Type.Object({ ...Draft, flow: FlowDraft }),
      response: ThemeVersion,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.THEME.NOT_FOUND', 'MELMASTOON.THEME.CONTRAST_TOO_LOW'],
    },
    publishVersion: {
      method: 'POST',
      path: '/themes/:tenantId/versions/:version/publish',
      summary:
        'Publish a version; the previous one is archived. Publishing an older version is a rollback',
      params: VersionParams,
      body: Type.Object({}),
      response: ThemeVersion,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.THEME.VERSION_NOT_FOUND'],
    },
  },
})
