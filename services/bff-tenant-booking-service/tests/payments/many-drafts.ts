import { idToUuid, newId } from '@melmastoon/domain'
import type { Checkout, GuestDraft } from './checkout.ts'
import { uuidOf } from './checkout.ts'

const ABANDONED = 'melmastoon.bff.tenant.booking.draft.abandoned.v1'

/** Copies of a draft whose guests left long ago: the holds have expired, and so have the drafts. */
export async function abandonMany(
  { environment }: Checkout,
  { draftId }: GuestDraft,
  count: number,
): Promise<void> {
  const { schema } = environment
  const ids = Array.from({ length: count }, () => [idToUuid(newId('bdr')), newId('rsv')])
  await environment.query(
    `insert into ${schema}.booking_draft
     select (jsonb_populate_record(null::${schema}.booking_draft, to_jsonb(d) ||
       jsonb_build_object('id', n.id, 'reservation_id', n.reservation_id,
         'hold_expires_at', clock_timestamp() - interval '20 minutes',
         'expires_at', clock_timestamp() - interval '1 second'))).*
     from ${schema}.booking_draft d,
       json_to_recordset($2::json) as n (id uuid, reservation_id text)
     where d.id = $1`,
    [uuidOf(draftId), JSON.stringify(ids.map(([id, stay]) => ({ id, reservation_id: stay })))],
  )
}

/** How often each draft was reported as abandoned. */
export async function abandonments({ environment }: Checkout) {
  const { schema } = environment
  const [row] = await environment.query<{ events: number; drafts: number }>(
    `select count(*)::int as events, count(distinct ordering_key)::int as drafts from (
       select subject, ordering_key from ${schema}.outbox
       union all select subject, ordering_key from ${schema}.outbox_published) published
     where subject = $1`,
    [ABANDONED],
  )
  const open = await environment.countRows(
    'booking_draft',
    `state not in ('confirmed', 'abandoned', 'failed') and expires_at <= clock_timestamp()`,
  )
  return { events: row?.events, drafts: row?.drafts, open }
}

/**
 * Copies of a booking whose payment was declined while no process was running: records that are
 * due, with intents that the payment service knows.
 */
export async function declineMany(
  { environment, sandbox, intentIdOf }: Checkout,
  { draftId }: GuestDraft,
  count: number,
): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const intent = newId('pyi')
    const reservation_id = newId('rsv')
    return { id: idToUuid(newId('bdr')), reservation_id, intent, intent_uuid: idToUuid(intent) }
  })
  const values = [JSON.stringify(rows)]
  await sandbox.environment.query(
    `insert into sandbox.payment_intent
     select (jsonb_populate_record(null::sandbox.payment_intent, to_jsonb(i) || jsonb_build_object(
       'payment_intent_id', n.intent_uuid, 'request_key', n.intent, 'status', 'failed',
       'version', 2, 'decline_code', 'insufficient_funds', 'expires_at', null,
       'settle_at', null))).*
     from sandbox.payment_intent i,
       json_to_recordset($1::json) as n (intent_uuid uuid, intent text)
     where i.payment_intent_id = $2`,
    [...values, idToUuid(await intentIdOf(draftId))],
  )
  const { schema } = environment
  const copies = [
    ['booking_draft', `'id', n.id, 'reservation_id', n.reservation_id`, 'id'],
    [
      'booking_payment_attempt',
      `'draft_id', n.id, 'intent_id', n.intent, 'key', n.intent`,
      'draft_id',
    ],
    [
      'booking_fulfilment',
      `'draft_id', n.id, 'reservation_id', n.reservation_id, 'next_at', clock_timestamp()`,
      'draft_id',
    ],
  ]
  for (const [table, changes, column] of copies) {
    await environment.query(
      `insert into ${schema}.${table}
       select (jsonb_populate_record(null::${schema}.${table},
         to_jsonb(t) || jsonb_build_object(${changes}))).*
       from ${schema}.${table} t, json_to_recordset($1::json) as
         n (id uuid, reservation_id text, intent text)
       where t.${column} = $2`,
      [...values, uuidOf(draftId)],
    )
  }
}

export async function dueRecords({ environment }: Checkout): Promise<number> {
  return await environment.countRows('booking_fulfilment', 'next_at <= clock_timestamp()')
}
