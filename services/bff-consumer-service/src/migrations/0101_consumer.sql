-- No table is tenant-scoped: a tenant column names the hotel that a guest viewed or left for.

-- Minted handoffs, until their tokens have expired. The token is not stored, only a fingerprint of
-- its signature.
create table if not exists :schema.handoff_replay_log (
  handoff_id uuid constraint pk_handoff_replay_log primary key,
  guest_session_id uuid not null,
  target_tenant_id uuid not null,
  property_id uuid not null,
  check_in date not null,
  check_out date not null,
  adults smallint not null constraint ck_handoff_adults check (adults >= 1),
  children smallint not null constraint ck_handoff_children check (children >= 0),
  rooms smallint not null constraint ck_handoff_rooms check (rooms >= 1),
  children_ages smallint[] not null default '{}',
  currency text not null constraint ck_handoff_currency check (currency ~ '^[A-Z]{3}$'),
  locale text not null constraint ck_handoff_locale check (length(locale) <= 35),
  source_campaign jsonb,
  hmac_key_id text not null constraint ck_handoff_key check (length(hmac_key_id) <= 64),
  signature_fingerprint text not null
    constraint ck_handoff_signature check (signature_fingerprint ~ '^sha256:[0-9a-f]{64}$'),
  fingerprint_hash text not null
    constraint ck_handoff_fingerprint check (fingerprint_hash ~ '^sha256:[0-9a-f]{64}$'),
  minted_at timestamptz not null,
  expires_at timestamptz not null,
  consumed boolean not null default false,
  consumed_at timestamptz,
  consumed_by_bff_instance text constraint ck_handoff_instance
    check (length(consumed_by_bff_instance) <= 128),
  -- The arrival that consumed it; the same arrival may report it again.
  arrival_id uuid,
  replay_attempts integer not null default 0
    constraint ck_handoff_replays check (replay_attempts >= 0),
  -- Set with the event of the first replay: there is at most one per handoff.
  replay_reported_at timestamptz,
  constraint ck_handoff_stay check (check_in < check_out),
  constraint ck_handoff_lifetime check (expires_at = minted_at + interval '30 minutes'),
  constraint ck_handoff_consumed check (
    consumed = (consumed_at is not null) and consumed = (arrival_id is not null))
);
create index if not exists ix_handoff_expires on :schema.handoff_replay_log (expires_at);
create index if not exists ix_handoff_session
  on :schema.handoff_replay_log (guest_session_id, minted_at desc);

-- Wishlists of anonymous guests, so that an account can take one over later.
create table if not exists :schema.wishlist_anonymous (
  wishlist_id uuid constraint pk_wishlist_anonymous primary key,
  guest_session_id uuid not null,
  property_id uuid not null,
  target_tenant_id uuid not null,
  added_at timestamptz not null default now(),
  source text not null
    constraint ck_wishlist_source check (source in ('detail', 'list', 'map', 'recently-viewed')),
  note text constraint ck_wishlist_note check (char_length(note) <= 280),
  -- When the session was last used: retention is based on it.
  session_seen_at timestamptz not null default now()
);
create unique index if not exists ux_wishlist_session_property
  on :schema.wishlist_anonymous (guest_session_id, property_id);
create index if not exists ix_wishlist_seen on :schema.wishlist_anonymous (session_seen_at);

-- Bot assessments with their signals, for seven days.
create table if not exists :schema.bot_score_log (
  id bigint generated always as identity constraint pk_bot_score_log primary key,
  -- Null for a visitor without a session.
  guest_session_id uuid,
  fingerprint_hash text not null
    constraint ck_bot_fingerprint check (fingerprint_hash ~ '^sha256:[0-9a-f]{64}$'),
  ip_hash text not null constraint ck_bot_ip check (ip_hash ~ '^sha256:[0-9a-f]{64}$'),
  score real not null constraint ck_bot_score check (score between 0 and 1),
  verdict text not null constraint ck_bot_verdict check (verdict in ('human', 'suspect', 'bot')),
  signals jsonb not null,
  evaluated_at timestamptz not null default now()
);
create index if not exists ix_bot_score_evaluated on :schema.bot_score_log (evaluated_at);
create index if not exists ix_bot_score_session
  on :schema.bot_score_log (guest_session_id, evaluated_at desc);

grant select, insert, update on :schema.handoff_replay_log to :app;
grant select, insert, update, delete on :schema.wishlist_anonymous to :app;
grant select, insert on :schema.bot_score_log to :app;
grant select, insert, update, delete
  on :schema.handoff_replay_log, :schema.wishlist_anonymous, :schema.bot_score_log to :relay;
