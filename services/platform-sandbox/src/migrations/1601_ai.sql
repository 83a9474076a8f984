-- Suggestions for the staff of a hotel, the decisions on them, and what they are derived from.
create table if not exists :schema.ai_suggestion (
  tenant_id uuid not null,
  suggestion_id uuid not null,
  property_id uuid not null,
  category text not null constraint ck_ai_suggestion_category check (category in (
    'overbooking_warning', 'rate_change', 'housekeeping_reorder', 'maintenance_priority',
    'guest_special_handling', 'staffing', 'audit_anomaly')),
  class text not null constraint ck_ai_suggestion_class check (class in ('desk', 'hk', 'mt', 'mgmt')),
  severity text not null
    constraint ck_ai_suggestion_severity check (severity in ('info', 'warning', 'critical')),
  state text not null default 'proposed' constraint ck_ai_suggestion_state check (state in (
    'proposed', 'accepted', 'rejected', 'modified', 'expired', 'withdrawn')),
  title jsonb not null,
  resource_kind text not null,
  resource_id text not null,
  proposal jsonb not null,
  -- Without the times, which are columns.
  provenance jsonb not null,
  generated_at timestamptz not null,
  expires_at timestamptz not null,
  -- The same condition is suggested once, whatever became of the suggestion.
  deduplication_key text not null
    constraint ck_ai_suggestion_key check (length(deduplication_key) between 1 and 160),
  version integer not null default 1 constraint ck_ai_suggestion_version check (version > 0),
  updated_at timestamptz not null,
  constraint pk_ai_suggestion primary key (tenant_id, suggestion_id),
  constraint ux_ai_suggestion_key unique (tenant_id, property_id, deduplication_key),
  constraint ck_ai_suggestion_life check (expires_at > generated_at)
);
create index if not exists ix_ai_suggestion_property
  on :schema.ai_suggestion (tenant_id, property_id, generated_at desc, suggestion_id desc);
create index if not exists ix_ai_suggestion_due on :schema.ai_suggestion (expires_at)
  where state = 'proposed';

-- One final decision per suggestion.
create table if not exists :schema.ai_decision (
  tenant_id uuid not null,
  suggestion_id uuid not null,
  decision_id uuid not null,
  outcome text not null
    constraint ck_ai_decision_outcome check (outcome in ('accepted', 'rejected', 'modified')),
  modified_delta jsonb,
  operator_id uuid not null,
  device_id uuid not null,
  decided_at timestamptz not null,
  constraint pk_ai_decision primary key (tenant_id, suggestion_id),
  constraint ux_ai_decision_id unique (tenant_id, decision_id),
  constraint ck_ai_decision_delta check ((outcome = 'modified') = (modified_delta is not null)),
  constraint fk_ai_decision_suggestion foreign key (tenant_id, suggestion_id)
    references :schema.ai_suggestion (tenant_id, suggestion_id)
);

create table if not exists :schema.ai_history (
  tenant_id uuid not null,
  suggestion_id uuid not null,
  version integer not null,
  status text not null,
  at timestamptz not null,
  operator_id uuid,
  causation_id text constraint ck_ai_history_causation check (length(causation_id) <= 255),
  constraint pk_ai_history primary key (tenant_id, suggestion_id, version),
  constraint fk_ai_history_suggestion foreign key (tenant_id, suggestion_id)
    references :schema.ai_suggestion (tenant_id, suggestion_id) on delete cascade
);

-- The hotels for which suggestions are generated, with their rooms and prices.
create table if not exists :schema.ai_source (
  tenant_id uuid not null,
  property_id uuid not null,
  time_zone text not null,
  room_types jsonb not null,
  constraint pk_ai_source primary key (tenant_id, property_id)
);

:isolate_by_tenant(ai_suggestion);
:isolate_by_tenant(ai_decision);
:isolate_by_tenant(ai_history);
:isolate_by_tenant(ai_source);

do $$
declare
  name text;
begin
  foreach name in array array['ai_suggestion', 'ai_decision', 'ai_history', 'ai_source']
  loop
    execute format('drop policy if exists %I on :schema.%I', name || '_relay', name);
    execute format('create policy %I on :schema.%I to :relay using (true) with check (true)',
      name || '_relay', name);
  end loop;
end
$$;

grant select, insert, update on :schema.ai_suggestion to :app, :relay;
grant select, insert on :schema.ai_decision, :schema.ai_history to :app, :relay;
grant select on :schema.ai_source to :app;
grant select, insert on :schema.ai_source to :relay;
