import { rawSql } from '@melmastoon/chassis/db'

/** A whole `TenantRow` of the table under the name `t`. */
export const tenantColumns = rawSql(`
  t.tenant_id, t.slug, t.legal_name, t.display_name, t.status, t.country, t.region,
  t.config_version, t.config, t.created_at, t.updated_at,
  array(select d.domain from sandbox.tenant_domain d where d.tenant_id = t.tenant_id
    order by d.added_at, d.domain) as custom_domains`)
