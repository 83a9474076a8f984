-- Payments of the test provider. Contains tokens only, never card or phone numbers.
create table if not exists :schema.payment_intent (
  tenant_id uuid not null,
  payment_intent_id uuid not null,
  reservation_id uuid,
  draft_ref text not null constraint ck_payment_intent_draft check (length(draft_ref) <= 64),
  method text not null
    constraint ck_payment_intent_method check (method in ('card', 'cash_on_arrival', 'mobile_money')),
  capture_mode text not null
    constraint ck_payment_intent_mode check (capture_mode in ('automatic', 'manual')),
  status text not null constraint ck_payment_intent_status check (status in (
    'requires_action', 'processing', 'authorized', 'captured', 'pending_cash', 'failed',
    'cancelled', 'refunded', 'partially_refunded')),
  currency text not null constraint ck_payment_intent_currency check (currency ~ '^[A-Z]{3}$'),
  amount_micro bigint not null constraint ck_payment_intent_amount check (amount_micro > 0),
  captured_micro bigint not null default 0,
  refunded_micro bigint not null default 0,
  decline_code text constraint ck_payment_intent_decline check (length(decline_code) <= 64),
  card_token text constraint ck_payment_intent_token check (card_token ~ '^tok_[a-z0-9_]{1,80}$'),
  phone_ref text constraint ck_payment_intent_phone check (phone_ref ~ '^phone_[a-z0-9_]{1,80}$'),
  -- The payer must complete a second step first.
  is_challenged boolean not null default false,
  return_url text constraint ck_payment_intent_return check (length(return_url) <= 500),
  -- SHA-256 of the secret in the link to the page.
  secret_hash text not null constraint ck_payment_intent_secret check (length(secret_hash) = 43),
  -- How all its webhooks are delivered; null: the global setting at the time of sending.
  webhook_fate text constraint ck_payment_intent_fate
    check (webhook_fate in ('prompt', 'late', 'lost', 'twice', 'reversed')),
  -- When a processing payment is decided, and how.
  settle_at timestamptz,
  settle_as text constraint ck_payment_intent_settle check (settle_as in ('approve', 'decline')),
  created_by text not null constraint ck_payment_intent_caller check (length(created_by) <= 64),
  request_key text not null constraint ck_payment_intent_key check (length(request_key) <= 255),
  version integer not null default 1 constraint ck_payment_intent_version check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz,
  constraint pk_payment_intent primary key (tenant_id, payment_intent_id),
  -- Independent of the code, no more is captured than the amount, and no more refunded than was
  -- captured.
  constraint ck_payment_intent_captured check (captured_micro between 0 and amount_micro),
  constraint ck_payment_intent_refunded check (refunded_micro between 0 and captured_micro),
  constraint ck_payment_intent_standing check (case status
    when 'captured' then captured_micro > 0 and refunded_micro = 0
    when 'partially_refunded' then refunded_micro > 0 and refunded_micro < captured_micro
    when 'refunded' then captured_micro > 0 and refunded_micro = captured_micro
    else captured_micro = 0 end)
);

-- One payment per key of a caller, also after the stored response has expired.
create unique index if not exists ux_payment_intent_key
  on :schema.payment_intent (tenant_id, created_by, request_key);
create index if not exists ix_payment_intent_expiry on :schema.payment_intent (expires_at)
  where expires_at is not null;
create index if not exists ix_payment_intent_settle on :schema.payment_intent (settle_at)
  where settle_at is not null;
create index if not exists ix_payment_intent_recent on :schema.payment_intent (created_at desc);

create table if not exists :schema.payment_refund (
  tenant_id uuid not null,
  refund_id uuid not null,
  payment_intent_id uuid not null,
  amount_micro bigint not null constraint ck_payment_refund_amount check (amount_micro > 0),
  currency text not null,
  reason_code text not null constraint ck_payment_refund_reason check (length(reason_code) <= 64),
  created_at timestamptz not null default now(),
  constraint pk_payment_refund primary key (tenant_id, refund_id),
  constraint fk_payment_refund_intent foreign key (tenant_id, payment_intent_id)
    references :schema.payment_intent (tenant_id, payment_intent_id)
);
create index if not exists ix_payment_refund_intent
  on :schema.payment_refund (tenant_id, payment_intent_id, created_at);

create table if not exists :schema.payment_webhook (
  tenant_id uuid not null,
  webhook_id uuid not null,
  payment_intent_id uuid not null,
  intent_version integer not null,
  type text not null,
  -- The signed bytes, the same for every attempt.
  body text not null constraint ck_payment_webhook_body check (length(body) <= 16384),
  status text not null default 'pending' constraint ck_payment_webhook_status
    check (status in ('pending', 'delivered', 'lost', 'dead')),
  fate text constraint ck_payment_webhook_fate
    check (fate in ('prompt', 'late', 'lost', 'twice', 'reversed')),
  is_fate_played boolean not null default false,
  deliveries_wanted smallint not null default 1,
  deliveries_done smallint not null default 0,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  -- Incremented with every lease: a result is recorded only by the current lease.
  fence integer not null default 0,
  last_outcome text constraint ck_payment_webhook_outcome check (length(last_outcome) <= 64),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint pk_payment_webhook primary key (tenant_id, webhook_id)
);
-- Each change of a payment has one webhook, which may be sent several times.
create unique index if not exists ux_payment_webhook_version
  on :schema.payment_webhook (tenant_id, payment_intent_id, intent_version);
create index if not exists ix_payment_webhook_due on :schema.payment_webhook (next_attempt_at)
  where status = 'pending';
create index if not exists ix_payment_webhook_age on :schema.payment_webhook (created_at);

alter table :schema.payment_intent enable row level security;
alter table :schema.payment_intent force row level security;
alter table :schema.payment_refund enable row level security;
alter table :schema.payment_refund force row level security;
alter table :schema.payment_webhook enable row level security;
alter table :schema.payment_webhook force row level security;

drop policy if exists payment_intent_tenant_isolation on :schema.payment_intent;
create policy payment_intent_tenant_isolation on :schema.payment_intent to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists payment_intent_relay on :schema.payment_intent;
create policy payment_intent_relay on :schema.payment_intent to :relay
  using (true) with check (true);

drop policy if exists payment_refund_tenant_isolation on :schema.payment_refund;
create policy payment_refund_tenant_isolation on :schema.payment_refund to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists payment_refund_relay on :schema.payment_refund;
create policy payment_refund_relay on :schema.payment_refund to :relay
  using (true) with check (true);

drop policy if exists payment_webhook_tenant_isolation on :schema.payment_webhook;
create policy payment_webhook_tenant_isolation on :schema.payment_webhook to :app
  using (tenant_id = (select :schema.current_tenant()))
  with check (tenant_id = (select :schema.current_tenant()));
drop policy if exists payment_webhook_relay on :schema.payment_webhook;
create policy payment_webhook_relay on :schema.payment_webhook to :relay
  using (true) with check (true);

grant select, insert, update on :schema.payment_intent to :app;
grant select, insert on :schema.payment_refund to :app;
grant select, insert, update on :schema.payment_webhook to :app;
grant select, update on :schema.payment_intent to :relay;
grant select on :schema.payment_refund to :relay;
grant select, insert, update, delete on :schema.payment_webhook to :relay;
