-- Actions on the keys of rooms. The audit row of an action is committed before the lock service
-- receives its command, and its outcome only moves forward: pending, unknown, then success or
-- failure for ever. The other tables contain what the reconciler needs. Re-runnable.
create table if not exists :schema.lock_action_proxy_audit (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  property_id uuid not null,
  operator_id text not null,
  device_id text not null,
  reservation_id text not null,
  action text not null
    constraint ck_lock_audit_action check (action in ('issue', 'revoke', 'rebind', 'extend')),
  vendor text not null,
  occurred_at timestamptz not null default now(),
  outcome text not null constraint ck_lock_audit_outcome
    check (outcome in ('pending', 'unknown', 'success', 'failure')),
  error_code text,
  mfa_attestation_id text,
  -- Made by this service, so that the action can be found whatever happens to the response.
  upstream_request_id text not null,
  -- 0 until the outcome is settled.
  upstream_latency_ms int not null
);
-- Days are exported by time, of all tenants.
create index if not exists ix_lock_audit_time
  on :schema.lock_action_proxy_audit (occurred_at);
create index if not exists ix_lock_audit_tenant_time
  on :schema.lock_action_proxy_audit (tenant_id, occurred_at desc);
create index if not exists ix_lock_audit_property_time
  on :schema.lock_action_proxy_audit (property_id, occurred_at desc);
create index if not exists ix_lock_audit_operator_time
  on :schema.lock_action_proxy_audit (operator_id, occurred_at desc);
create index if not exists ix_lock_audit_reservation
  on :schema.lock_action_proxy_audit (reservation_id, occurred_at desc);
create unique index if not exists ux_lock_audit_request
  on :schema.lock_action_proxy_audit (tenant_id, upstream_request_id);
-- An attestation is used once, also if Redis has forgotten that it was.
create unique index if not exists ux_lock_audit_attestation
  on :schema.lock_action_proxy_audit (tenant_id, mfa_attestation_id)
  where mfa_attestation_id is not null;
:isolate_by_tenant(lock_action_proxy_audit, lock_audit_iso);
drop policy if exists lock_audit_relay on :schema.lock_action_proxy_audit;
create policy lock_audit_relay on :schema.lock_action_proxy_audit to :relay
  using (true) with check (true);
grant select, insert, update on :schema.lock_action_proxy_audit to :app;
grant select, update on :schema.lock_action_proxy_audit to :relay;

create or replace function :schema.keep_lock_audit() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  ranks constant text[] := array['pending', 'unknown', 'success'];
  settled constant text[] := array['success', 'failure'];
begin
  if (to_jsonb(new) - array['outcome', 'error_code', 'upstream_latency_ms'])
      is distinct from (to_jsonb(old) - array['outcome', 'error_code', 'upstream_latency_ms']) then
    raise exception 'an audit row does not change' using errcode = '55000';
  end if;
  if old.outcome = any (settled)
      or array_position(ranks, replace(new.outcome, 'failure', 'success'))
        <= array_position(ranks, old.outcome) then
    raise exception 'an outcome only moves forward' using errcode = '55000';
  end if;
  return new;
end
$$;
drop trigger if exists tr_lock_audit_forward on :schema.lock_action_proxy_audit;
create trigger tr_lock_audit_forward before update on :schema.lock_action_proxy_audit
  for each row execute function :schema.keep_lock_audit();

-- How far an action is, and when the reconciler looks at it next.
create table if not exists :schema.lock_action (
  tenant_id uuid not null,
  action_id uuid not null,
  property_id uuid not null,
  reservation_id text not null,
  action text not null,
  state text not null constraint ck_lock_action_state
    check (state in ('requested', 'accepted', 'unknown', 'succeeded', 'failed')),
  -- The same for every attempt of one request.
  request_key text not null,
  key_id text,
  -- Of a revocation: the open issue whose key it revokes.
  target_id uuid,
  -- Rooms, kind, validity and reason: never the secret of a key.
  command jsonb not null,
  max_delay_seconds int not null,
  -- Null: queued, nothing was sent.
  sent_at timestamptz,
  settled_at timestamptz,
  next_at timestamptz,
  lease_until timestamptz not null default '-infinity',
  tries int not null default 0,
  created_at timestamptz not null default now(),
  constraint pk_lock_action primary key (tenant_id, action_id)
);
-- A failed action may be followed by another attempt of the same request.
create unique index if not exists ux_lock_action_request
  on :schema.lock_action (tenant_id, request_key) where state <> 'failed';
create index if not exists ix_lock_action_reservation
  on :schema.lock_action (tenant_id, reservation_id, action_id);
create index if not exists ix_lock_action_due
  on :schema.lock_action (next_at) where next_at is not null;
create index if not exists ix_lock_action_open
  on :schema.lock_action (created_at) where settled_at is null;
:isolate_by_tenant(lock_action, lock_action_iso);
drop policy if exists lock_action_relay on :schema.lock_action;
create policy lock_action_relay on :schema.lock_action to :relay using (true) with check (true);
grant select, insert, update on :schema.lock_action to :app;
grant select, update on :schema.lock_action to :relay;

-- One open action per reservation and room; a revocation replaces the others on its key.
create table if not exists :schema.lock_action_room (
  tenant_id uuid not null,
  action_id uuid not null,
  reservation_id text not null,
  room_id text not null,
  is_open boolean not null,
  constraint pk_lock_action_room primary key (tenant_id, action_id, room_id)
);
create unique index if not exists ux_lock_action_open
  on :schema.lock_action_room (tenant_id, reservation_id, room_id) where is_open;
:isolate_by_tenant(lock_action_room, lock_action_room_iso);
drop policy if exists lock_action_room_relay on :schema.lock_action_room;
create policy lock_action_room_relay on :schema.lock_action_room to :relay
  using (true) with check (true);
grant select, insert, update on :schema.lock_action_room to :app;
grant select, update on :schema.lock_action_room to :relay;

-- Everything that was reported about an action, in the order of its arrival. Append-only.
create table if not exists :schema.lock_action_transition (
  id uuid primary key,
  tenant_id uuid not null,
  action_id uuid not null,
  at timestamptz not null default now(),
  state text not null constraint ck_lock_transition_state
    check (state in ('requested', 'accepted', 'unknown', 'succeeded', 'failed')),
  source text not null constraint ck_lock_transition_source
    check (source in ('request', 'response', 'event', 'reconciler', 'manual')),
  -- False: it arrived too late to change the state.
  is_applied boolean not null,
  -- The number of the response, as the vendor counts.
  sequence int,
  error_code text,
  decided_by text
);
create index if not exists ix_lock_transition_action
  on :schema.lock_action_transition (tenant_id, action_id, id);
:isolate_by_tenant(lock_action_transition, lock_transition_iso);
drop policy if exists lock_transition_relay on :schema.lock_action_transition;
create policy lock_transition_relay on :schema.lock_action_transition to :relay
  using (true) with check (true);
grant select, insert on :schema.lock_action_transition to :app;
grant select, insert on :schema.lock_action_transition to :relay;

create or replace function :schema.keep_lock_transition() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'transitions are append-only' using errcode = '55000';
end
$$;
drop trigger if exists tr_lock_transition_keep on :schema.lock_action_transition;
create trigger tr_lock_transition_keep before update or delete on :schema.lock_action_transition
  for each row execute function :schema.keep_lock_transition();

-- Alerts that the notification service has to receive, one of each kind per action.
create table if not exists :schema.lock_alert (
  tenant_id uuid not null,
  action_id uuid not null,
  kind text not null constraint ck_lock_alert_kind
    check (kind in ('unknown', 'duplicate', 'contradiction', 'room_change')),
  property_id uuid not null,
  reservation_id text not null,
  created_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  tries int not null default 0,
  -- When the notification service has received it, or rejected it for good.
  raised_at timestamptz,
  constraint pk_lock_alert primary key (tenant_id, action_id, kind)
);
create index if not exists ix_lock_alert_open
  on :schema.lock_alert (next_at) where raised_at is null;
:isolate_by_tenant(lock_alert, lock_alert_iso);
drop policy if exists lock_alert_relay on :schema.lock_alert;
create policy lock_alert_relay on :schema.lock_alert to :relay using (true) with check (true);
grant select, insert, update on :schema.lock_alert to :app;
grant select on :schema.lock_alert to :relay;

-- Stays that have ended or moved: their keys are checked until they agree.
create table if not exists :schema.lock_follow_up (
  tenant_id uuid not null,
  -- Of the event that caused it.
  id uuid not null,
  kind text not null
    constraint ck_lock_follow_up_kind check (kind in ('stay_ended', 'room_changed')),
  property_id uuid not null,
  reservation_id text not null,
  reason text not null,
  room_ids text[] not null,
  prior_room_ids text[] not null,
  created_at timestamptz not null default now(),
  next_at timestamptz,
  lease_until timestamptz not null default '-infinity',
  tries int not null default 0,
  constraint pk_lock_follow_up primary key (tenant_id, id)
);
create index if not exists ix_lock_follow_up_due
  on :schema.lock_follow_up (next_at) where next_at is not null;
:isolate_by_tenant(lock_follow_up, lock_follow_up_iso);
drop policy if exists lock_follow_up_relay on :schema.lock_follow_up;
create policy lock_follow_up_relay on :schema.lock_follow_up to :relay using (true) with check (true);
grant select, insert, update on :schema.lock_follow_up to :app;
grant select, delete on :schema.lock_follow_up to :relay;
