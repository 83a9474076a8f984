delete from :schema.world_seed where stay_days <> 30;
alter table :schema.world_seed drop constraint if exists world_seed_pkey;
alter table :schema.world_seed drop column if exists stay_days;
alter table :schema.world_seed add constraint world_seed_pkey
  primary key (seed, world_version, properties, anchor_date, module);
