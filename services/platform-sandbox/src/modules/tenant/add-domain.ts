import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { configUpdated } from './config-updated.ts'
import { lockOwnTenant } from './lock-own-tenant.ts'
import { normalizeDomain } from './normalize-domain.ts'
import { isPlatformDomain } from './reserved-names.ts'
import { type TenantOperations, toTenant } from './tenant.ts'
import { insertDomain, updateTenantConfig } from './tenant-sql.ts'

type Operation = TenantOperations['addDomain']

/** The maximum of the contract. */
const DOMAINS_MAX = 20

/** A domain that the tenant already has is no change; a domain of another tenant is not moved. */
export async function addDomain(
  host: ModuleHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<Tenant> {
  const domain = readDomain(body.domain)
  const { tenantId, cause } = call
  return await host.db.transaction(async (tx) => {
    const tenant = await lockOwnTenant(tx, { tenantId, named: params.tenantId })
    if (tenant.status === 'closed') throw problem('MELMASTOON.TENANT.ILLEGAL_TRANSITION')
    if (tenant.customDomains.includes(domain)) return await call.finish(tx, tenant)
    if (tenant.customDomains.length >= DOMAINS_MAX)
      throw invalidDomain('too_many', 'exceeds the maximum number of domains')
    const updated = await store(tx, tenant, domain)
    const change = { changed: ['customDomains'], cause }
    await appendEvents(tx, [configUpdated(host.registry, updated, change)])
    return await call.finish(tx, updated)
  })
}

async function store(tx: Tx, tenant: Tenant, domain: string): Promise<Tenant> {
  const id = idToUuid(tenant.tenantId)
  const [added] = await tx.query(insertDomain(id, domain))
  if (added === undefined) throw problem('MELMASTOON.TENANT.DOMAIN_TAKEN')
  const { version: _, ...settings } = tenant.config
  const [row] = await tx.query(updateTenantConfig(id, settings))
  if (row === undefined) throw new TypeError('the locked tenant does not exist')
  return toTenant(row)
}

function readDomain(given: string): string {
  const domain = normalizeDomain(given)
  if (domain === null) throw invalidDomain('not_a_domain', 'is not a domain')
  if (isPlatformDomain(domain)) throw invalidDomain('reserved', 'belongs to the platform')
  return domain
}

function invalidDomain(code: string, detail: string) {
  const errors = [{ pointer: '/domain', code, detail }]
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
