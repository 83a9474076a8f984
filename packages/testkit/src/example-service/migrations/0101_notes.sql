-- The guest book: what a tenant's guests wrote, and how many there are.
create table if not exists :schema.notes (
  tenant_id uuid not null,
  id uuid not null,
  text text not null,
  reservation_ref text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index if not exists ix_notes_tenant_created on :schema.notes (tenant_id, created_at desc);

create table if not exists :schema.note_counts (
  tenant_id uuid primary key,
  placed bigint not null
);

alter table :schema.notes enable row level security;
alter table :schema.notes force row level security;
alter table :schema.note_counts enable row level security;
alter table :schema.note_counts force row level security;

drop policy if exists notes_tenant_isolation on :schema.notes;
create policy notes_tenant_isolation on :schema.notes to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists note_counts_tenant_isolation on :schema.note_counts;
create policy note_counts_tenant_isolation on :schema.note_counts to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));

grant select, insert, update on :schema.notes, :schema.note_counts to :app;
