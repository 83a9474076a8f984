import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, newId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import { checkSettings } from './check-settings.ts'
import { isReservedSlug } from './reserved-names.ts'
import { searchText, type TenantOperations, toTenant } from './tenant.ts'
import { insertTenant } from './tenant-sql.ts'

export async function createTenant(
  tx: Tx,
  requested: InputOf<TenantOperations['createTenant']>['body'],
): Promise<Tenant> {
  const { slug, legalName, displayName, country, region, config } = requested
  if (isReservedSlug(slug)) {
    const errors = [{ pointer: '/slug', code: 'reserved', detail: 'is reserved for the platform' }]
    throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
  }
  checkSettings(config, '/config')
  const [row] = await tx.query(
    insertTenant({
      tenant_id: idToUuid(newId('tnt')),
      slug,
      legal_name: legalName,
      display_name: displayName,
      country,
      region,
      config,
      search_text: searchText({ slug, legalName, displayName }),
    }),
  )
  if (row === undefined) throw problem('MELMASTOON.TENANT.SLUG_TAKEN')
  return toTenant(row)
}
