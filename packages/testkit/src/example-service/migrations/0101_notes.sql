-- The guest book: notes of a tenant's guests, and their number.
create table if not exists :schema.notes (
  tenant_id uuid not null,
  id uuid not null,
  text text not null,
  reservation_ref text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index if not exists ix_notes_tenant_created on :schema.notes (tenant_id, created_at desc);
create table if not exists :schema.note_counts (tenant_id uuid primary key, placed bigint not null);
:isolate_by_tenant(notes);
:isolate_by_tenant(note_counts);
grant select, insert, update on :schema.notes, :schema.note_counts to :app;
