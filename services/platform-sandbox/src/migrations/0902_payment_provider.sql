-- The provider of each payment, and references of phone numbers. `payment_intent` is small in the
-- sandbox: the short exclusive lock is acceptable.
alter table :schema.payment_intent add column if not exists provider text;
update :schema.payment_intent set provider = case method when 'card' then 'adyen-test'
  when 'mobile_money' then 'hesabpay-test' else 'cash' end
where provider is null;
alter table :schema.payment_intent alter column provider set not null;
alter table :schema.payment_intent drop constraint if exists ck_payment_intent_provider;
alter table :schema.payment_intent add constraint ck_payment_intent_provider
  check (length(provider) <= 40);

-- A reference is a keyed hash of tenant and number; the number itself is not stored.
create table if not exists :schema.payment_phone_ref (
  tenant_id uuid not null,
  phone_ref text not null
    constraint ck_payment_phone_ref check (phone_ref ~ '^phone_[a-z0-9_]{1,80}$'),
  -- The test reference whose behaviour it has.
  behaves_as text not null constraint ck_payment_phone_ref_behaviour
    check (behaves_as ~ '^phone_[a-z0-9_]{1,80}$'),
  created_at timestamptz not null default now(),
  constraint pk_payment_phone_ref primary key (tenant_id, phone_ref)
);
:isolate_by_tenant(payment_phone_ref);
grant select, insert on :schema.payment_phone_ref to :app;
