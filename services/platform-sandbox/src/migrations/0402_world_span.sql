-- The span of the seeded stays: a longer one is seeded in addition. The table is small.
alter table :schema.world_seed add column if not exists stay_days int not null default 30;
alter table :schema.world_seed drop constraint if exists world_seed_pkey;
alter table :schema.world_seed add constraint world_seed_pkey
  primary key (seed, world_version, properties, stay_days, anchor_date, module);
