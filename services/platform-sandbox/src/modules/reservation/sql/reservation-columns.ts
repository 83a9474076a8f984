import { rawSql } from '@melmastoon/chassis/db'

/** Of booking `r`, without its history. */
export const bookingColumns = rawSql(`r.tenant_id, r.reservation_id, r.code, r.property_id,
  r.status, r.check_in, r.check_out, r.items, r.total_micro::text as total_micro, r.currency,
  r.guest_locale, r.quote_id, r.draft_id, r.allocation_id, r.digest, r.payment_method,
  r.payment_intent_id, r.hold_expires_at, r.hold_extensions, r.confirmed_at, r.cancelled_at,
  r.created_at, r.version`)

/** What is noted so far, oldest first, as JSON; the present statement's own note is not in it. */
export const historyColumn = rawSql(`coalesce((
    select json_agg(json_build_object('version', h.version, 'status', h.status,
        'reason_code', h.reason_code, 'at', h.at) order by h.version)
    from sandbox.reservation_history h
    where h.tenant_id = r.tenant_id and h.reservation_id = r.reservation_id), '[]') as history`)
