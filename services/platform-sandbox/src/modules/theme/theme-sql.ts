import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { PeekRow, ThemeDraft, ThemeRow } from './theme.ts'

/** The columns of a `ThemeRow`. */
const themeColumns = rawSql(`
  tenant_id, version, theme_id, status, brand_name, tagline, layout_preset, tokens, flow,
  created_at, published_at`)

export function findPublished(tenant: string): Statement<ThemeRow> {
  return sql<ThemeRow>`
    select ${themeColumns} from sandbox.theme_version
    where tenant_id = ${tenant}::uuid and status = 'published'`
}

export function findVersion(tenant: string, version: number): Statement<ThemeRow> {
  return sql<ThemeRow>`
    select ${themeColumns} from sandbox.theme_version
    where tenant_id = ${tenant}::uuid and version = ${version}::int`
}

export function selectVersions(tenant: string, limit: number): Statement<ThemeRow> {
  return sql<ThemeRow>`
    select ${themeColumns} from sandbox.theme_version
    where tenant_id = ${tenant}::uuid order by version desc limit ${limit}`
}

/** Uses the index of published versions. */
export function selectPeeks(tenants: readonly string[]): Statement<PeekRow> {
  return sql<PeekRow>`
    select tenant_id, version, brand_name, tokens #>> '{light,primary}' as primary_color
    from sandbox.theme_version
    where tenant_id = any (${tenants}::uuid[]) and status = 'published'`
}

export interface VersionNumber {
  readonly theme_id: string
  readonly last_version: number
}

/** Creates the theme with its first version. The row lock serializes concurrent calls. */
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

/** Archives the published version, unless it is the one to be published. */
export function archivePublished(tenant: string, except: number): Statement<{ version: number }> {
  return sql<{ version: number }>`
    update sandbox.theme_version set status = 'archived'
    where tenant_id = ${tenant}::uuid and status = 'published' and version <> ${except}::int
    returning version`
}

/** No row when the version does not exist or is already published. */
export function markPublished(tenant: string, version: number): Statement<ThemeRow> {
  return sql<ThemeRow>`
    update sandbox.theme_version set status = 'published', published_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and version = ${version}::int and status <> 'published'
    returning ${themeColumns}`
}

export interface SeededTheme {
  readonly tenant_id: string
  readonly theme_id: string
  readonly brand_name: object
  readonly tagline: object
  readonly layout_preset: string
  readonly tokens: object
  readonly flow: object
}

/** Any number of rows in one parameter. Existing ones stay unchanged. */
export function insertThemes(themes: readonly SeededTheme[]): Statement<unknown> {
  const ids = themes.map(({ tenant_id, theme_id }) => ({ tenant_id, theme_id }))
  return sql`
    insert into sandbox.theme_theme (tenant_id, theme_id, last_version)
    select t.tenant_id, t.theme_id, 1
    from json_to_recordset(${JSON.stringify(ids)}::json) as t (tenant_id uuid, theme_id uuid)
    on conflict do nothing`
}

/** The first version of each, published. */
export function insertPublished(themes: readonly SeededTheme[]): Statement<unknown> {
  return sql`
    insert into sandbox.theme_version (tenant_id, version, theme_id, status, brand_name, tagline,
      layout_preset, tokens, flow, published_at)
    select t.tenant_id, 1, t.theme_id, 'published', t.brand_name, t.tagline, t.layout_preset,
      t.tokens, t.flow, now()
    from json_to_recordset(${JSON.stringify(themes)}::json) as t (tenant_id uuid, theme_id uuid,
      brand_name jsonb, tagline jsonb, layout_preset text, tokens jsonb, flow jsonb)
    on conflict do nothing`
}
