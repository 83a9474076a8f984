import { type Statement, sql } from '@melmastoon/chassis/db'

export interface SeededTheme {
  readonly tenant_id: string
  readonly theme_id: string
  readonly brand_name: object
  readonly tagline: object
  readonly layout_preset: string
  readonly tokens: object
  readonly flow: object
}

/** Any number in one parameter. Those that exist stay as they are. */
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
