import type { Database, Statement } from '@melmastoon/chassis/db'
import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import { normalizeDomain } from './normalize-domain.ts'
import { type TenantRow, toTenant } from './tenant.ts'
import {
  findTenantByDomain,
  findTenantById,
  findTenantBySlug,
  findTenantStatus,
} from './tenant-sql.ts'

export function readTenant(db: Database, tenantId: TenantId): Promise<Tenant> {
  return readOne(db, findTenantById(idToUuid(tenantId)))
}

export async function findTenant(db: Database, tenantId: TenantId): Promise<Tenant | null> {
  const [row] = await db.query(findTenantById(idToUuid(tenantId)))
  return row === undefined ? null : toTenant(row)
}

export async function findTenantOfSlug(db: Database, slug: string): Promise<Tenant | null> {
  const [row] = await db.query(findTenantBySlug(slug.toLowerCase()))
  return row === undefined ? null : toTenant(row)
}

/** Host names are case-insensitive (RFC 4343), and a slug is part of one. */
export function resolveSlug(db: Database, slug: string): Promise<Tenant> {
  return readOne(db, findTenantBySlug(slug.toLowerCase()))
}

export async function resolveDomain(db: Database, given: string): Promise<Tenant> {
  const domain = normalizeDomain(given)
  if (domain === null) throw problem('MELMASTOON.TENANT.NOT_FOUND')
  return await readOne(db, findTenantByDomain(domain))
}

async function readOne(db: Database, statement: Statement<TenantRow>): Promise<Tenant> {
  const [row] = await db.query(statement)
  if (row === undefined) throw problem('MELMASTOON.TENANT.NOT_FOUND')
  return toTenant(row)
}

/** An unknown tenant has nothing to sell, so it is not rejected here. */
export async function checkSelling(db: Database, tenantId: TenantId): Promise<void> {
  const [row] = await db.query(findTenantStatus(idToUuid(tenantId)))
  if (row !== undefined && row.status !== 'active') throw problem('MELMASTOON.TENANT.SUSPENDED')
}
