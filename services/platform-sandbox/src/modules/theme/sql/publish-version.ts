import { type Statement, sql } from '@melmastoon/chassis/db'
import type { ThemeRow } from '../theme.ts'
import { themeColumns } from './theme-columns.ts'

/** The version guests saw until now, unless it is the one they are to see. */
export function archivePublished(tenant: string, except: number): Statement<{ version: number }> {
  return sql<{ version: number }>`
    update sandbox.theme_version set status = 'archived'
    where tenant_id = ${tenant}::uuid and status = 'published' and version <> ${except}::int
    returning version`
}

/** No row when there is no such version, or guests see it already. */
export function markPublished(tenant: string, version: number): Statement<ThemeRow> {
  return sql<ThemeRow>`
    update sandbox.theme_version set status = 'published', published_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and version = ${version}::int and status <> 'published'
    returning ${themeColumns}`
}
