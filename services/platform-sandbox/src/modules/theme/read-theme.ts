import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { BrandPeek, ThemeVersion } from '@melmastoon/upstream-contracts/theme'
import type { ModuleHost } from '../../module.ts'
import { toPeek, toThemeVersion } from './theme.ts'
import { findPublished, selectPeeks, selectVersions } from './theme-sql.ts'

/** The maximum of the contract. */
const VERSIONS_MAX = 200

export async function readPublished(host: ModuleHost, tenantId: TenantId): Promise<ThemeVersion> {
  const [row] = await host.db.query(findPublished(idToUuid(tenantId)))
  if (row === undefined) throw problem('MELMASTOON.THEME.NOT_FOUND')
  return toThemeVersion(row, host.config.publicUrl)
}

export async function listVersions(host: ModuleHost, tenantId: TenantId): Promise<ThemeVersion[]> {
  const rows = await host.db.query(selectVersions(idToUuid(tenantId), VERSIONS_MAX))
  if (rows.length === 0) throw problem('MELMASTOON.THEME.NOT_FOUND')
  return rows.map((row) => toThemeVersion(row, host.config.publicUrl))
}

/** In the requested order. */
export async function peekBrands(
  host: ModuleHost,
  tenantIds: readonly TenantId[],
): Promise<BrandPeek[]> {
  const requested = new Set(tenantIds)
  const rows = await host.db.query(selectPeeks([...requested].map((id) => idToUuid(id))))
  const peeks = rows.map((row) => toPeek(row, host.config.publicUrl))
  const byTenant = new Map(peeks.map((peek) => [peek.tenantId, peek]))
  return [...requested].map((id) => byTenant.get(id)).filter((peek) => peek !== undefined)
}
