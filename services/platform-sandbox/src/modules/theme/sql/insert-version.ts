import { type Statement, sql } from '@melmastoon/chassis/db'
import type { ThemeDraft, ThemeRow } from '../theme.ts'
import { themeColumns } from './theme-columns.ts'

export interface VersionNumber {
  readonly theme_id: string
  readonly last_version: number
}

/** Makes the theme with its first version. Whoever takes a number makes the others wait. */
export function takeVersionNumber(tenant: string, theme: string): Statement<VersionNumber> {
  return sql<VersionNumber>`
    insert into sandbox.theme_theme as t (tenant_id, theme_id, last_version)
    values (${tenant}::uuid, ${theme}::uuid, 1)
    on conflict (tenant_id) do update set last_version = t.last_version + 1
    returning t.theme_id, t.last_version`
}

export interface NewVersion {
  readonly tenant: string
  readonly number: VersionNumber
  readonly draft: ThemeDraft
}

export function insertVersion({ tenant, number, draft }: NewVersion): Statement<ThemeRow> {
  return sql<ThemeRow>`
    insert into sandbox.theme_version
      (tenant_id, version, theme_id, brand_name, tagline, layout_preset, tokens, flow)
    values (${tenant}::uuid, ${number.last_version}::int, ${number.theme_id}::uuid,
      ${draft.brandName}::jsonb, ${draft.tagline ?? null}::jsonb, ${draft.layoutPreset},
      ${draft.tokens}::jsonb, ${draft.flow}::jsonb)
    returning ${themeColumns}`
}
