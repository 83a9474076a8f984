drop table if exists :schema.tenant_operator_preferences;
drop table if exists :schema.tenant_operator;
