-- Alerts for the staff of a hotel. Contain ids and numbers only, never names or texts of guests.
create table if not exists :schema.notification_alert (
  tenant_id uuid not null,
  alert_id uuid not null,
  property_id uuid not null,
  category text not null constraint ck_notification_alert_category check (length(category) <= 64),
  severity text not null
    constraint ck_notification_alert_severity check (severity in ('info', 'warning', 'critical')),
  title jsonb not null,
  audience text[] not null
    constraint ck_notification_alert_audience check (cardinality(audience) between 1 and 10),
  resource_kind text not null,
  resource_id text not null,
  deduplication_key text
    constraint ck_notification_alert_key check (length(deduplication_key) <= 120),
  state text not null default 'open'
    constraint ck_notification_alert_state check (state in ('open', 'acknowledged')),
  raised_at timestamptz not null default clock_timestamp(),
  raised_by uuid,
  causation_id text constraint ck_notification_alert_causation check (length(causation_id) <= 255),
  version integer not null default 1 constraint ck_notification_alert_version check (version > 0),
  updated_at timestamptz not null default clock_timestamp(),
  constraint pk_notification_alert primary key (tenant_id, alert_id)
);
create index if not exists ix_notification_alert_property
  on :schema.notification_alert (tenant_id, property_id, raised_at desc, alert_id desc);
-- A condition that is reported repeatedly has one open alert.
create unique index if not exists ux_notification_alert_open
  on :schema.notification_alert (tenant_id, property_id, deduplication_key)
  where state = 'open' and deduplication_key is not null;

-- One row per operator; also the history of the alert after version 1.
create table if not exists :schema.notification_acknowledgement (
  tenant_id uuid not null,
  alert_id uuid not null,
  operator_id uuid not null,
  device_id uuid not null,
  note text constraint ck_notification_acknowledgement_note check (length(note) <= 200),
  causation_id text
    constraint ck_notification_acknowledgement_causation check (length(causation_id) <= 255),
  version integer not null,
  at timestamptz not null default clock_timestamp(),
  constraint pk_notification_acknowledgement primary key (tenant_id, alert_id, operator_id),
  constraint ux_notification_acknowledgement_version unique (tenant_id, alert_id, version),
  constraint fk_notification_acknowledgement_alert foreign key (tenant_id, alert_id)
    references :schema.notification_alert (tenant_id, alert_id) on delete cascade
);

:isolate_by_tenant(notification_alert);
:isolate_by_tenant(notification_acknowledgement);

drop policy if exists notification_alert_relay on :schema.notification_alert;
create policy notification_alert_relay on :schema.notification_alert to :relay
  using (true) with check (true);
drop policy if exists notification_acknowledgement_relay on :schema.notification_acknowledgement;
create policy notification_acknowledgement_relay on :schema.notification_acknowledgement to :relay
  using (true) with check (true);

grant select, insert, update on :schema.notification_alert to :app, :relay;
grant select, insert on :schema.notification_acknowledgement to :app, :relay;
