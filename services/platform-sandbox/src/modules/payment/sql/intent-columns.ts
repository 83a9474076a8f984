import { rawSql } from '@melmastoon/chassis/db'

/** A whole `IntentRow` of the table under the name `i`. */
export const intentColumns = rawSql(`
  i.tenant_id, i.payment_intent_id, i.reservation_id, i.draft_ref, i.method, i.capture_mode,
  i.status, i.currency, i.amount_micro::text, i.captured_micro::text, i.refunded_micro::text,
  i.decline_code, i.card_token, i.phone_ref, i.is_challenged, i.return_url, i.secret_hash,
  i.webhook_fate, i.settle_as, i.version, i.created_at, i.updated_at, i.expires_at,
  coalesce(i.expires_at <= clock_timestamp(), false) as is_overdue`)
