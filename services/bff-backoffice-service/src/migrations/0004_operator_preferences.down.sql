drop table if exists :schema.operator_preferences;
