drop table if exists :schema.lock_scenario;
drop table if exists :schema.lock_response;
drop table if exists :schema.lock_request;
drop table if exists :schema.lock_credential_version;
drop table if exists :schema.lock_credential;
drop table if exists :schema.lock_property;
