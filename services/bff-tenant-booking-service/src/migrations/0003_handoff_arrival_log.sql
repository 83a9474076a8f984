-- Arrivals with a handoff of the consumer service; deleted after 30 days. The token is not stored,
-- only a fingerprint of its signature. Re-runnable.
create table if not exists :schema.handoff_arrival_log (
  id text constraint pk_handoff_arrival_log primary key
    constraint ck_handoff_id check (id ~ '^bha_[0-9A-HJKMNP-TV-Z]{26}$'),
  tenant_id uuid not null,
  consumer_session_id text not null,
  property_id text not null,
  received_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed boolean not null default false,
  consumed_at timestamptz,
  payload jsonb not null,
  hmac_signature_fingerprint text not null
    constraint ck_handoff_signature check (hmac_signature_fingerprint ~ '^sha256:[0-9a-f]{64}$'),
  booking_draft_id text,
  signing_key_id text not null,
  remote_ip_hash text not null
    constraint ck_handoff_ip check (remote_ip_hash ~ '^sha256:[0-9a-f]{64}$'),
  user_agent_class text not null,
  -- The handoff that the token names; its row makes the token unusable for anyone else (D4).
  handoff_id text not null,
  -- The session of the arrival, which may present the token again for two minutes.
  session_id text not null,
  constraint ck_handoff_consumed check (consumed = (consumed_at is not null))
);

create unique index if not exists ux_handoff_tenant_handoff
  on :schema.handoff_arrival_log (tenant_id, handoff_id);
create index if not exists ix_handoff_tenant_received
  on :schema.handoff_arrival_log (tenant_id, received_at desc);
create index if not exists ix_handoff_consumer_session
  on :schema.handoff_arrival_log (consumer_session_id);
create index if not exists ix_handoff_consumed
  on :schema.handoff_arrival_log (consumed, expires_at);

grant select, insert, update on :schema.handoff_arrival_log to :app;
grant select, insert, update, delete on :schema.handoff_arrival_log to :relay;
