export {
  type BlockedTenants,
  createBlockedTenants,
  type TenantDecision,
  withoutBlocked,
} from './blocked-tenants.ts'
export {
  defineTenants,
  readOpenTenant,
  type TenantCache,
  type TenantDeps,
  tenantTags,
} from './read-tenant.ts'
export { onTenantReactivated, onTenantSuspended } from './tenant-handlers.ts'
