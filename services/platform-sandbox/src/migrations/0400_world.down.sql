drop table if exists :schema.world_seed;
