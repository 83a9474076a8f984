import type { Database } from '@melmastoon/chassis/db'
import { problem } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import { type TenantOperations, toSummary } from './tenant.ts'
import { selectTenants } from './tenant-sql.ts'

const LIMIT_DEFAULT = 50

type Page = OutputOf<TenantOperations['listTenants']>

/** By slug, so that pages stay consistent when tenants are added. */
export async function listTenants(
  db: Database,
  query: InputOf<TenantOperations['listTenants']>['query'],
): Promise<Page> {
  const limit = query.limit ?? LIMIT_DEFAULT
  const rows = await db.query(
    selectTenants({
      after: query.cursor === undefined ? '' : readCursor(query.cursor),
      status: query.status ?? null,
      pattern: query.q === undefined ? null : containing(query.q),
      rows: limit + 1,
    }),
  )
  const tenants = rows.slice(0, limit).map(toSummary)
  const last = tenants.at(-1)
  if (rows.length <= limit || last === undefined) return { tenants }
  return { tenants, nextCursor: Buffer.from(last.slug).toString('base64url') }
}

function readCursor(cursor: string): string {
  const slug = Buffer.from(cursor, 'base64url').toString()
  if (/^[a-z0-9-]{1,63}$/.test(slug)) return slug
  const errors = [{ pointer: '/query/cursor', code: 'unknown', detail: 'is not a valid cursor' }]
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}

function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`
}
