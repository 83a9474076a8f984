-- Houses, their room types and rooms. Read across tenants by design: guests see all of them.
create table if not exists :schema.property_amenity (
  code text primary key,
  name jsonb not null
);

create table if not exists :schema.property_house (
  property_id uuid primary key,
  tenant_id uuid not null,
  slug text not null,
  version int not null default 1 constraint ck_property_house_version check (version > 0),
  name jsonb not null,
  description jsonb not null,
  address jsonb not null,
  lat double precision not null,
  lng double precision not null,
  time_zone text not null,
  property_type text not null,
  star_rating smallint,
  guest_rating jsonb,
  amenity_codes text[] not null,
  sharia_compliant boolean not null,
  opened_on date not null,
  policies jsonb not null,
  -- The motifs of its photos.
  scenery text not null,
  photo_count smallint not null,
  room_count int not null,
  updated_at timestamptz not null default now(),
  constraint ux_property_house_slug unique (tenant_id, slug)
);
create index if not exists ix_property_house_tenant
  on :schema.property_house (tenant_id, property_id);

create table if not exists :schema.property_room_type (
  room_type_id uuid primary key,
  property_id uuid not null references :schema.property_house,
  position smallint not null,
  kind text not null,
  name jsonb not null,
  adults_max smallint not null,
  children_max smallint not null,
  size_sqm smallint not null,
  beds jsonb not null,
  room_count int not null,
  constraint ux_property_room_type_position unique (property_id, position)
);

create table if not exists :schema.property_room (
  room_id uuid primary key,
  property_id uuid not null references :schema.property_house,
  room_type_id uuid not null references :schema.property_room_type,
  number text not null,
  floor smallint not null,
  status text not null default 'active'
    constraint ck_property_room_status
      check (status in ('active', 'out_of_order', 'out_of_service')),
  constraint ux_property_room_number unique (property_id, number)
);

-- The input of a tenant's generated logo.
create table if not exists :schema.property_mark (
  tenant_id uuid primary key,
  hue smallint not null,
  letter text not null
);

grant select on :schema.property_amenity, :schema.property_house, :schema.property_room_type,
  :schema.property_room, :schema.property_mark to :app;
grant update (name, description, amenity_codes, policies, version, updated_at)
  on :schema.property_house to :app;
grant select, insert on :schema.property_amenity, :schema.property_house,
  :schema.property_room_type, :schema.property_room, :schema.property_mark to :relay;
