-- The lock system of each property, its keys, and the commands and responses of its vendor.
create table if not exists :schema.lock_property (
  tenant_id uuid not null,
  property_id uuid not null,
  vendor text not null constraint ck_lock_property_vendor
    check (vendor in ('ttlock', 'salto', 'assa-abloy', 'generic-wiegand')),
  gateway text not null default 'online'
    constraint ck_lock_property_gateway check (gateway in ('online', 'offline')),
  gateway_changed_at timestamptz not null default now(),
  -- How many keys the lock of a room can store.
  slots_per_room integer not null constraint ck_lock_property_slots check (slots_per_room > 0),
  time_zone text not null constraint ck_lock_property_zone check (length(time_zone) <= 64),
  check_in_time time not null,
  check_out_time time not null,
  constraint pk_lock_property primary key (tenant_id, property_id)
);

-- Without the secret: a PIN is derived from the id of its key.
create table if not exists :schema.lock_credential (
  tenant_id uuid not null,
  key_id uuid not null,
  property_id uuid not null,
  reservation_id uuid not null,
  rooms uuid[] not null constraint ck_lock_credential_rooms
    check (cardinality(rooms) between 1 and 10),
  kind text not null constraint ck_lock_credential_kind
    check (kind in ('mobile_app', 'pin_code', 'rfid_card', 'qr_code', 'nfc_tag')),
  state text not null constraint ck_lock_credential_state
    check (state in ('requested', 'pending', 'active', 'suspended', 'revoked', 'failed')),
  vendor text not null constraint ck_lock_credential_vendor check (length(vendor) <= 40),
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  -- Null when the vendor does not know which request issued it.
  request_id text constraint ck_lock_credential_request check (length(request_id) <= 64),
  version integer not null default 1 constraint ck_lock_credential_version check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pk_lock_credential primary key (tenant_id, key_id),
  constraint fk_lock_credential_property foreign key (tenant_id, property_id)
    references :schema.lock_property (tenant_id, property_id),
  constraint ck_lock_credential_window check (valid_until > valid_from)
);
create index if not exists ix_lock_credential_property
  on :schema.lock_credential (tenant_id, property_id, key_id desc);
create index if not exists ix_lock_credential_reservation
  on :schema.lock_credential (tenant_id, reservation_id);
create index if not exists ix_lock_credential_rooms on :schema.lock_credential using gin (rooms)
  where state in ('requested', 'pending', 'active');

-- Every version of a key, kept without limit.
create table if not exists :schema.lock_credential_version (
  tenant_id uuid not null,
  key_id uuid not null,
  version integer not null,
  state text not null constraint ck_lock_credential_version_state check (length(state) <= 40),
  at timestamptz not null default now(),
  operator_id uuid,
  causation_id text
    constraint ck_lock_credential_version_cause check (length(causation_id) <= 255),
  constraint pk_lock_credential_version primary key (tenant_id, key_id, version),
  constraint fk_lock_credential_version_key foreign key (tenant_id, key_id)
    references :schema.lock_credential (tenant_id, key_id)
);

create table if not exists :schema.lock_request (
  tenant_id uuid not null,
  request_id text not null
    constraint ck_lock_request_id check (request_id ~ '^[A-Za-z0-9_-]{16,64}$'),
  key_id uuid not null,
  property_id uuid not null,
  vendor text not null constraint ck_lock_request_vendor check (length(vendor) <= 40),
  action text not null constraint ck_lock_request_action
    check (action in ('issue', 'revoke', 'rebind', 'extend')),
  state text not null default 'accepted'
    constraint ck_lock_request_state check (state in ('accepted', 'succeeded', 'failed')),
  failure_reason text constraint ck_lock_request_failure check (length(failure_reason) <= 40),
  vendor_code text constraint ck_lock_request_vendor_code check (length(vendor_code) <= 40),
  vendor_latency_ms integer not null default 0
    constraint ck_lock_request_latency check (vendor_latency_ms >= 0),
  -- What the action changes, and what it replaced, for a vendor that withdraws its confirmation.
  change jsonb not null default '{}',
  undo jsonb,
  -- Distinguishes a repetition from another action with the same id.
  fingerprint text not null
    constraint ck_lock_request_fingerprint check (length(fingerprint) = 43),
  -- How many keys the vendor creates; more than one is a fault.
  copies smallint not null default 1
    constraint ck_lock_request_copies check (copies between 1 and 2),
  -- The vendor has lost the id: the request cannot be read.
  is_forgotten boolean not null default false,
  -- Until then the command occupies the gateway.
  gateway_until timestamptz,
  last_sequence integer not null default 0,
  operator_id uuid,
  causation_id text constraint ck_lock_request_cause check (length(causation_id) <= 255),
  accepted_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  constraint pk_lock_request primary key (tenant_id, request_id),
  constraint fk_lock_request_key foreign key (tenant_id, key_id)
    references :schema.lock_credential (tenant_id, key_id)
);
create index if not exists ix_lock_request_key on :schema.lock_request (tenant_id, key_id);
create index if not exists ix_lock_request_gateway
  on :schema.lock_request (tenant_id, property_id, gateway_until)
  where state = 'accepted' and gateway_until is not null;
create index if not exists ix_lock_request_recent on :schema.lock_request (accepted_at desc);

-- Responses that the vendor will send.
create table if not exists :schema.lock_response (
  tenant_id uuid not null,
  response_id uuid not null,
  request_id text not null,
  -- The number that the vendor gives it; a lower one that arrives later is out of date.
  sequence integer not null constraint ck_lock_response_sequence check (sequence > 0),
  -- As on the wire, in the vendor's own format.
  response jsonb not null,
  -- Becomes a success when the gateway is online again before it is due.
  awaits_gateway boolean not null default false,
  due_at timestamptz not null,
  delivered_at timestamptz,
  constraint pk_lock_response primary key (tenant_id, response_id),
  constraint fk_lock_response_request foreign key (tenant_id, request_id)
    references :schema.lock_request (tenant_id, request_id)
);
create index if not exists ix_lock_response_due on :schema.lock_response (due_at)
  where delivered_at is null;
create index if not exists ix_lock_response_request
  on :schema.lock_response (tenant_id, request_id);

-- Scenarios that are set for a property or a reservation.
create table if not exists :schema.lock_scenario (
  tenant_id uuid not null,
  scope text not null
    constraint ck_lock_scenario_scope check (scope in ('property', 'reservation')),
  scope_id uuid not null,
  scenario text not null constraint ck_lock_scenario_name check (length(scenario) <= 40),
  -- How many actions it still affects; null: all until it is removed.
  times integer constraint ck_lock_scenario_times check (times > 0),
  changed_at timestamptz not null default now(),
  constraint pk_lock_scenario primary key (tenant_id, scope, scope_id)
);

:isolate_by_tenant(lock_property);
:isolate_by_tenant(lock_credential);
:isolate_by_tenant(lock_credential_version);
:isolate_by_tenant(lock_request);
:isolate_by_tenant(lock_response);
:isolate_by_tenant(lock_scenario);

drop policy if exists lock_property_relay on :schema.lock_property;
create policy lock_property_relay on :schema.lock_property to :relay
  using (true) with check (true);
drop policy if exists lock_credential_relay on :schema.lock_credential;
create policy lock_credential_relay on :schema.lock_credential to :relay
  using (true) with check (true);
drop policy if exists lock_credential_version_relay on :schema.lock_credential_version;
create policy lock_credential_version_relay on :schema.lock_credential_version to :relay
  using (true) with check (true);
drop policy if exists lock_request_relay on :schema.lock_request;
create policy lock_request_relay on :schema.lock_request to :relay
  using (true);
drop policy if exists lock_response_relay on :schema.lock_response;
create policy lock_response_relay on :schema.lock_response to :relay
  using (true);

grant select, update on :schema.lock_property to :app;
grant select, insert, update on :schema.lock_credential to :app;
grant select, insert on :schema.lock_credential_version to :app;
grant select, insert, update on :schema.lock_request to :app;
grant select, insert, update on :schema.lock_response to :app;
grant select, insert, update, delete on :schema.lock_scenario to :app;
grant select, insert, update on :schema.lock_property to :relay;
grant select, insert, update on :schema.lock_credential to :relay;
grant select, insert on :schema.lock_credential_version to :relay;
grant select on :schema.lock_request to :relay;
grant select on :schema.lock_response to :relay;
