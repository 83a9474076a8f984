import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant, LocalizedString, text } from '../schemas.ts'

const Color = Type.String({ pattern: '^#[0-9a-f]{6}$' })

/** Ends up in a style sheet, so it can be nothing but a name. */
const FontFamily = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 -]{0,79}$' })

/**
 * Roles, not paint: a page says `surface`, a theme says which colour that is. `muted` is text of
 * less weight on the surface.
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

export const FlowConfig = Type.Object({
  optionalFields: Type.Array(Type.Enum(['phone', 'arrival-time', 'special-requests', 'company']), {
    maxItems: 4,
  }),
  paymentRails: Type.Array(Type.Enum(['cash_on_arrival', 'card', 'mobile_money']), { maxItems: 3 }),
})

const Draft = {
  brandName: LocalizedString,
  tagline: Type.Optional(LocalizedString),
  layoutPreset: Type.Enum(['hero-with-search', 'gallery-first', 'quiet']),
  tokens: ThemeTokens,
  flow: FlowConfig,
}

export const ThemeVersion = Type.Object({
  tenantId: id('tnt'),
  themeId: id('thm'),
  version: Type.Integer({ minimum: 1 }),
  status: Type.Enum(['draft', 'published', 'archived']),
  ...Draft,
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
      summary: 'Name, logo and colour of up to a hundred tenants; unknown ones are left out',
      body: Type.Object({ tenantIds: Type.Array(id('tnt'), { minItems: 1, maxItems: 100 }) }),
      response: Type.Object({ peeks: Type.Array(BrandPeek, { maxItems: 100 }) }),
      refusals: [],
    },
    getPublished: {
      method: 'GET',
      path: '/themes/:tenantId/published',
      summary: 'The theme guests see now',
      params: TenantParams,
      response: ThemeVersion,
      refusals: ['MELMASTOON.THEME.NOT_FOUND'],
    },
    listVersions: {
      method: 'GET',
      path: '/themes/:tenantId/versions',
      summary: 'All versions, newest first',
      params: TenantParams,
      response: Type.Object({ versions: Type.Array(ThemeVersion, { maxItems: 200 }) }),
      tenantScoped: true,
      refusals: ['MELMASTOON.THEME.NOT_FOUND'],
    },
    createVersion: {
      method: 'POST',
      path: '/themes/:tenantId/versions',
      summary: 'A new version that nobody sees yet',
      status: 201,
      params: TenantParams,
      body: Type.Object(Draft),
      response: ThemeVersion,
      tenantScoped: true,
      idempotent: true,
      refusals: ['MELMASTOON.THEME.NOT_FOUND', 'MELMASTOON.THEME.CONTRAST_TOO_LOW'],
    },
    publishVersion: {
      method: 'POST',
      path: '/themes/:tenantId/versions/:version/publish',
      summary: 'Shows this version to guests; the one before is archived. An older one: a rollback',
      params: VersionParams,
      body: Type.Object({}),
      response: ThemeVersion,
      tenantScoped: true,
      idempotent: true,
      refusals: ['MELMASTOON.THEME.VERSION_NOT_FOUND'],
    },
  },
})
