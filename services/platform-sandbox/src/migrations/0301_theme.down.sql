drop table if exists :schema.theme_version;
drop table if exists :schema.theme_theme;
