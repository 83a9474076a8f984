-- The seeded worlds per module: a second start on the same day seeds nothing.
create table if not exists :schema.world_seed (
  seed text not null,
  world_version int not null,
  properties int not null,
  anchor_date date not null,
  module text not null,
  digest text not null,
  seeded_at timestamptz not null default now(),
  primary key (seed, world_version, properties, anchor_date, module)
);

grant select, insert on :schema.world_seed to :relay;
