import { type TenantId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import {
  type BrandPeek,
  FLOW_STEPS,
  type ThemeVersion,
  type themeContract,
} from '@melmastoon/upstream-contracts/theme'

export type ThemeOperations = typeof themeContract.operations
export type ThemeDraft = InputOf<ThemeOperations['createVersion']>['body']

export interface ThemeRow {
  tenant_id: string
  version: number
  theme_id: string
  status: ThemeVersion['status']
  brand_name: ThemeVersion['brandName']
  tagline: ThemeVersion['brandName'] | null
  layout_preset: ThemeVersion['layoutPreset']
  tokens: ThemeVersion['tokens']
  flow: ThemeDraft['flow']
  created_at: Date
  published_at: Date | null
}

export interface PeekRow {
  tenant_id: string
  version: number
  brand_name: BrandPeek['brandName']
  primary_color: string
}

export function toThemeVersion(row: ThemeRow, publicUrl: string): ThemeVersion {
  const tenantId = uuidToId('tnt', row.tenant_id)
  return {
    tenantId,
    themeId: uuidToId('thm', row.theme_id),
    version: row.version,
    status: row.status,
    brandName: row.brand_name,
    ...(row.tagline && { tagline: row.tagline }),
    layoutPreset: row.layout_preset,
    tokens: row.tokens,
    flow: { ...row.flow, steps: row.flow.steps ?? [...FLOW_STEPS] },
    logoUrl: logoUrl(publicUrl, tenantId),
    createdAt: toIsoDateTime(row.created_at),
    ...(row.published_at && { publishedAt: toIsoDateTime(row.published_at) }),
  }
}

export function toPeek(row: PeekRow, publicUrl: string): BrandPeek {
  const tenantId = uuidToId('tnt', row.tenant_id)
  return {
    tenantId,
    primaryColor: row.primary_color,
    logoUrl: logoUrl(publicUrl, tenantId),
    brandName: row.brand_name,
    version: row.version,
  }
}

function logoUrl(publicUrl: string, tenantId: TenantId): string {
  return new URL(`/logos/${tenantId}.svg`, publicUrl).href
}
