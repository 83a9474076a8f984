-- What follows from a decision on a suggestion: the AI service is told, and the agreed change is
-- made. Written with the decision, carried out afterwards, as often as needed. Re-runnable.
create table if not exists :schema.ai_decision_effect (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null,
  decision_id uuid not null,
  kind text not null constraint ck_ai_decision_effect_kind check (kind in ('record', 'stop_sale', 'assign')),
  effect jsonb not null,
  state text not null default 'pending' constraint ck_ai_decision_effect_state check (state in ('pending', 'done', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  error_code text
);
create unique index if not exists ux_ai_decision_effect
  on :schema.ai_decision_effect (tenant_id, decision_id, kind);
create index if not exists ix_ai_decision_effect_pending
  on :schema.ai_decision_effect (next_attempt_at) where state = 'pending';
create index if not exists ix_ai_decision_effect_settled
  on :schema.ai_decision_effect (settled_at) where settled_at is not null;
:isolate_by_tenant(ai_decision_effect, ai_decision_effect_iso);
drop policy if exists ai_decision_effect_relay on :schema.ai_decision_effect;
create policy ai_decision_effect_relay on :schema.ai_decision_effect to :relay using (true) with check (true);
grant select, insert on :schema.ai_decision_effect to :app;
grant select, update, delete on :schema.ai_decision_effect to :relay;
