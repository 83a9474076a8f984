drop table if exists :schema.tenant_domain;
drop table if exists :schema.tenant_account;
