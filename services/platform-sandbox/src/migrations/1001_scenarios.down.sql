drop table if exists :schema.scenario_version;
drop table if exists :schema.scenario_setting;
