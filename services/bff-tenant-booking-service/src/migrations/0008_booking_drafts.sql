-- The durable part of a booking (D25, D36): the draft from the hold on, one fulfilment record per
-- draft, and every payment attempt. New tables, so no lock matters. Re-runnable.

-- Every due time, lease and expiry reads this clock, which a simulation replaces.
create or replace function :schema.booking_now() returns timestamptz
  language sql volatile parallel safe as $$ select clock_timestamp() $$;
grant execute on function :schema.booking_now() to :app, :relay;

create table if not exists :schema.booking_draft (
  tenant_id uuid not null,
  -- The 128 bits of `bdr_…`.
  id uuid not null,
  session_id text not null,
  state text not null constraint ck_booking_draft_state check (state in ('holding',
    'collecting_details', 'paying', 'confirming', 'confirmed', 'abandoned', 'failed')),
  version int not null default 1,
  reservation_id text not null,
  reservation_code text not null,
  -- The offer the guest agreed to; contains no personal data.
  terms jsonb not null,
  -- An offer that replaces it once the guest accepts it.
  changed_terms jsonb,
  hold_expires_at timestamptz not null,
  hold_no smallint not null default 1,
  guest_extensions smallint not null default 0,
  service_extensions smallint not null default 0,
  -- Guest details, encrypted.
  guest bytea,
  guest_email_hash text,
  guest_phone_hash text,
  origin jsonb not null,
  flow_state_history jsonb not null default '[]',
  error_trail jsonb not null default '[]',
  outcome jsonb,
  created_at timestamptz not null,
  last_activity_at timestamptz not null,
  expires_at timestamptz not null,
  finalized_at timestamptz,
  constraint pk_booking_draft primary key (tenant_id, id),
  constraint ck_booking_draft_final check (
    (state in ('confirmed', 'abandoned', 'failed')) = (finalized_at is not null))
);
-- The sweeper's list.
create index if not exists ix_booking_draft_due on :schema.booking_draft (expires_at)
  where state in ('holding', 'collecting_details', 'paying');
create index if not exists ix_booking_draft_session
  on :schema.booking_draft (tenant_id, session_id, created_at desc);
create unique index if not exists ux_booking_draft_reservation
  on :schema.booking_draft (tenant_id, reservation_id);
create index if not exists ix_booking_draft_finalized on :schema.booking_draft (finalized_at)
  where finalized_at is not null;

create table if not exists :schema.booking_fulfilment (
  tenant_id uuid not null,
  draft_id uuid not null,
  state text not null default 'open' constraint ck_booking_fulfilment_state
    check (state in ('open', 'confirming', 'releasing', 'confirmed', 'released')),
  decision text constraint ck_booking_fulfilment_decision
    check (decision in ('confirm', 'release')),
  recovery_point text not null default 'open',
  reservation_id text not null,
  -- The intent that pays for the stay, once decided.
  intent_id text,
  capture_mode text,
  consented_digest text not null,
  amount_micro bigint not null,
  currency text not null,
  -- The body of the confirm call, encrypted and never changed after the decision.
  confirm_request bytea,
  confirm_no smallint not null default 1,
  confirm_key text,
  capture_key text,
  cancel_key text,
  -- The fence: every write after a claim repeats the number of that claim.
  attempt int not null default 0,
  lease_until timestamptz not null default '-infinity',
  -- When the poller looks at the record again; null when nothing is left to do.
  next_at timestamptz,
  tries int not null default 0,
  last_error text,
  outcome_code text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint pk_booking_fulfilment primary key (tenant_id, draft_id),
  constraint ck_booking_fulfilment_settled check (
    (state in ('confirmed', 'released')) = (settled_at is not null)),
  constraint ck_booking_fulfilment_due check (
    state not in ('confirming', 'releasing') or next_at is not null),
  constraint ck_booking_fulfilment_confirmed check (state <> 'confirmed' or decision = 'confirm'),
  constraint ck_booking_fulfilment_released check (state <> 'released' or decision = 'release')
);
create index if not exists ix_booking_fulfilment_due on :schema.booking_fulfilment (next_at)
  where next_at is not null;
create index if not exists ix_booking_fulfilment_settled on :schema.booking_fulfilment (settled_at)
  where settled_at is not null;

create table if not exists :schema.booking_payment_attempt (
  tenant_id uuid not null,
  draft_id uuid not null,
  no smallint not null,
  -- The idempotency key of the creation of the intent.
  key text not null,
  intent_id text,
  method text not null,
  provider text,
  capture_mode text not null,
  digest text not null,
  amount_micro bigint not null,
  currency text not null,
  -- What else the creation of the intent repeats; references of the provider, not personal data.
  return_url text,
  phone_ref text,
  status text not null default 'creating' constraint ck_booking_payment_attempt_status
    check (status in ('creating', 'open', 'paid', 'closed', 'refunded')),
  -- The newest known status and version of the intent.
  intent_status text,
  intent_version int not null default 0,
  decline_code text,
  -- When it was first known to be captured or authorized.
  money_seen_at timestamptz,
  next_action jsonb,
  role text not null default 'none' constraint ck_booking_payment_attempt_role
    check (role in ('none', 'paying', 'surplus')),
  cancel_key text,
  refund_key text,
  refund_no smallint not null default 1,
  refunded_micro bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint pk_booking_payment_attempt primary key (tenant_id, draft_id, no)
);
create unique index if not exists ux_booking_payment_attempt_intent
  on :schema.booking_payment_attempt (tenant_id, intent_id) where intent_id is not null;
create unique index if not exists ux_booking_payment_attempt_open
  on :schema.booking_payment_attempt (tenant_id, draft_id) where status in ('creating', 'open');

:isolate_by_tenant(booking_draft);
:isolate_by_tenant(booking_fulfilment);
:isolate_by_tenant(booking_payment_attempt);

-- Poller and sweeper list what is due for all tenants; they change it in the tenant's scope.
drop policy if exists booking_draft_relay on :schema.booking_draft;
create policy booking_draft_relay on :schema.booking_draft to :relay using (true);
drop policy if exists booking_fulfilment_relay on :schema.booking_fulfilment;
create policy booking_fulfilment_relay on :schema.booking_fulfilment to :relay using (true);
drop policy if exists booking_payment_attempt_relay on :schema.booking_payment_attempt;
create policy booking_payment_attempt_relay on :schema.booking_payment_attempt to :relay
  using (true);

grant select, insert, update on :schema.booking_draft, :schema.booking_fulfilment,
  :schema.booking_payment_attempt to :app;
grant select, delete on :schema.booking_draft, :schema.booking_fulfilment,
  :schema.booking_payment_attempt to :relay;
grant update (next_at) on :schema.booking_fulfilment to :relay;
