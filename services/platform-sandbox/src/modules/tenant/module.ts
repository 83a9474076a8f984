import type { Id, TenantId } from '@melmastoon/domain'
import { type Operator, type Tenant, tenantContract } from '@melmastoon/upstream-contracts/tenant'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { addDomain } from './add-domain.ts'
import { reactivate, suspend } from './change-status.ts'
import { createTenant } from './create-tenant.ts'
import { listTenants } from './list-tenants.ts'
import { findOperator, listOperators, readOperator } from './operator.ts'
import { putPreferences, readPreferences } from './operator-preferences.ts'
import {
  checkSelling,
  findTenant,
  findTenantOfSlug,
  readTenant,
  resolveDomain,
  resolveSlug,
} from './read-tenant.ts'
import { setOperatorRole } from './set-operator-role.ts'
import type { TenantOperations } from './tenant.ts'
import { updateConfig } from './update-config.ts'

export interface TenantModule extends ServedModule<TenantOperations> {
  findTenant(tenantId: TenantId): Promise<Tenant | null>
  findTenantOfSlug(slug: string): Promise<Tenant | null>
  /** Called before a sale: throws `TENANT.SUSPENDED` for a hotel that must not sell. */
  checkSelling(tenantId: TenantId): Promise<void>
  findOperator(tenantId: TenantId, operatorId: Id<'opr'>): Promise<Operator | null>
}

/** Tenants: their identity, domains, status and staff. */
export function createTenantModule(host: ModuleHost): TenantModule {
  const { db } = host
  return {
    contract: tenantContract,
    findTenant: (tenantId) => findTenant(db, tenantId),
    findTenantOfSlug: (slug) => findTenantOfSlug(db, slug),
    checkSelling: (tenantId) => checkSelling(db, tenantId),
    findOperator: (tenantId, operatorId) => findOperator(db, tenantId, operatorId),
    handlers: {
      getTenant: ({ params }) => readTenant(db, params.tenantId),
      resolveSlug: ({ params }) => resolveSlug(db, params.slug),
      resolveDomain: ({ params }) => resolveDomain(db, params.domain),
      listTenants: ({ query }) => listTenants(db, query),
      createTenant: ({ body }, call) =>
        db.transaction(async (tx) => call.finish(tx, await createTenant(tx, body))),
      updateConfig: (input, call) => updateConfig(host, input, call),
      addDomain: (input, call) => addDomain(host, input, call),
      suspend: (input, call) => suspend(host, input, call),
      reactivate: (input, call) => reactivate(host, input, call),
      getOperator: ({ params }, { tenantId }) => readOperator(db, tenantId, params.operatorId),
      listOperators: ({ query }, { tenantId }) => listOperators(db, tenantId, query.ids),
      setOperatorRole: (input, call) => setOperatorRole(host, input, call),
      getOperatorPreferences: ({ params, query }, { tenantId }) =>
        readPreferences(db.scoped(tenantId), { tenantId, ...params, ...query }),
      putOperatorPreferences: (input, call) => putPreferences(host, input, call),
    },
  }
}
