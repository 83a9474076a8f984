-- Staff sign-in: keys, credentials, devices, token families and second factors.

-- Ed25519 keys of access tokens. Not of a tenant: all tenants share the issuer.
create table if not exists :schema.iam_signing_key (
  kid text primary key,
  private_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
-- One key signs; the others verify until their last token has expired.
create unique index if not exists ux_iam_signing_key_active
  on :schema.iam_signing_key ((true)) where retired_at is null;

-- Wrong passwords, by a hash of hotel and user name, whether or not they exist.
create table if not exists :schema.iam_sign_in_failure (
  account_hash text primary key,
  failures int not null,
  since timestamptz not null
);

create table if not exists :schema.iam_credential (
  tenant_id uuid not null,
  operator_id uuid not null,
  username text not null,
  password_hash text not null,
  totp_secret text,
  -- RFC 6238 §5.2: a time step is accepted once, and never an earlier one.
  totp_last_step bigint not null default 0,
  authenticator_jwk jsonb,
  mfa_failures int not null default 0,
  mfa_failing_since timestamptz,
  constraint pk_iam_credential primary key (tenant_id, operator_id),
  constraint ux_iam_credential_username unique (tenant_id, username)
);

create table if not exists :schema.iam_device (
  tenant_id uuid not null,
  device_id uuid not null,
  jkt text not null,
  name text not null,
  platform text not null,
  app_version text not null,
  -- Who signed in last, and that operator's properties; null: all.
  operator_id uuid not null,
  property_ids uuid[],
  registered_at timestamptz not null,
  last_sign_in_at timestamptz not null,
  constraint pk_iam_device primary key (tenant_id, device_id),
  constraint ux_iam_device_key unique (tenant_id, jkt)
);

-- One family of refresh tokens per session. Tokens are not stored: generation and replacement
-- identify one, `token_key` authenticates it.
create table if not exists :schema.iam_token_family (
  tenant_id uuid not null,
  family_id uuid not null,
  session_id uuid not null,
  operator_id uuid not null,
  device_id uuid not null,
  jkt text not null,
  token_key bytea not null,
  generation int not null default 1,
  -- How often the current token was replaced because the response with it was lost.
  replacements int not null default 0,
  -- The replacement of the previous generation that was exchanged for the current token.
  parent_replacement int not null default 0,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  reason_code text,
  constraint pk_iam_token_family primary key (tenant_id, family_id),
  constraint ux_iam_token_family_session unique (tenant_id, session_id)
);
create index if not exists ix_iam_token_family_operator
  on :schema.iam_token_family (tenant_id, operator_id) where revoked_at is null;
create index if not exists ix_iam_token_family_expiry on :schema.iam_token_family (expires_at);

create table if not exists :schema.iam_mfa_challenge (
  tenant_id uuid not null,
  challenge_id uuid not null,
  operator_id uuid not null,
  device_id uuid not null,
  challenge text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint pk_iam_mfa_challenge primary key (tenant_id, challenge_id)
);
create index if not exists ix_iam_mfa_challenge_expiry on :schema.iam_mfa_challenge (expires_at);

:isolate_by_tenant(iam_credential);
:isolate_by_tenant(iam_device);
:isolate_by_tenant(iam_token_family);
:isolate_by_tenant(iam_mfa_challenge);

do $$
declare
  name text;
begin
  foreach name in array array['iam_credential', 'iam_token_family', 'iam_mfa_challenge']
  loop
    execute format('drop policy if exists %I on :schema.%I', name || '_relay', name);
    execute format('create policy %I on :schema.%I to :relay using (true) with check (true)',
      name || '_relay', name);
  end loop;
end
$$;

grant select, insert, update on :schema.iam_signing_key to :app;
grant select, insert, update, delete on :schema.iam_sign_in_failure to :app;
grant select, update on :schema.iam_credential to :app;
grant select, insert, update on :schema.iam_device, :schema.iam_token_family,
  :schema.iam_mfa_challenge to :app;
grant select, insert on :schema.iam_credential to :relay;
grant select, delete on :schema.iam_token_family, :schema.iam_mfa_challenge,
  :schema.iam_sign_in_failure, :schema.iam_signing_key to :relay;
