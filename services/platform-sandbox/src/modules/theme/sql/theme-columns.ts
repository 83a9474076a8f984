import { rawSql } from '@melmastoon/chassis/db'

/** A whole `ThemeRow`. */
export const themeColumns = rawSql(`
  tenant_id, version, theme_id, status, brand_name, tagline, layout_preset, tokens, flow,
  created_at, published_at`)
