import { type Statement, sql } from '@melmastoon/chassis/db'
import type { PeekRow, ThemeRow } from '../theme.ts'
import { themeColumns } from './theme-columns.ts'

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

/** Each by the index of published versions, whatever else its tenant has. */
export function selectPeeks(tenants: readonly string[]): Statement<PeekRow> {
  return sql<PeekRow>`
    select tenant_id, version, brand_name, tokens #>> '{light,primary}' as primary_color
    from sandbox.theme_version
    where tenant_id = any (${tenants}::uuid[]) and status = 'published'`
}
