import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { type DeviceId, type Id, idToUuid } from '@melmastoon/domain'
import type { Verdict } from './intent.ts'
import type { Decision, NewIntent, StoredIntent } from './intent-store.ts'

export interface IntentRow {
  readonly claimed: boolean
  readonly operator_id: string
  readonly property_id: string | null
  readonly name: string
  readonly resource_id: string | null
  readonly seq: string
  readonly content_hash: string
  readonly boot_id: string
  readonly occurred_at: Date | null
  readonly clock_suspect: boolean
  readonly received_at: Date
  readonly attempt: number
  readonly verdict: Verdict['verdict'] | null
  readonly detail: object | null
}

const COLUMNS = sql`operator_id, property_id, name, resource_id, seq::text, content_hash, boot_id,
  occurred_at, clock_suspect, received_at, attempt, verdict, detail`

/** After this time an intent that its device has given up no longer holds others back. */
const HOLDS_BACK_HOURS = 24

const NEW_COLUMNS = sql`tenant_id, device_id, intent_id, operator_id, name, resource_id, seq,
  content_hash, boot_id, occurred_at, clock_suspect, received_at`

const newValues = (intent: NewIntent): SqlFragment => {
  const { tenantId, deviceId, intentId, operatorId, name, resourceId, seq } = intent
  return sql`${idToUuid(tenantId)}::uuid, ${deviceId}, ${intentId}, ${operatorId}, ${name},
    ${resourceId}::text, ${seq}::bigint, ${intent.contentHash}, ${intent.bootId},
    ${intent.occurredAt}::timestamptz, ${intent.clockSuspect}::boolean,
    ${intent.receivedAt}::timestamptz`
}

/** What the statement wrote, or the row that exists. */
const writtenOrStored = ({ deviceId, intentId }: NewIntent): SqlFragment => sql`
  select claimed, ${COLUMNS} from written
  union all
  select false as claimed, ${COLUMNS} from offline_intent_verdict
  where device_id = ${deviceId} and intent_id = ${intentId}
    and not exists (select from written)`

/**
 * Claims a new intent, or one whose earlier attempt has ended without a verdict. Without a claim,
 * the row that exists. No row: an earlier intent of the device on the resource is not decided, or
 * two claims raced.
 */
export function claimIntent(intent: NewIntent, leaseMs: number): Statement<IntentRow> {
  const { deviceId, intentId, resourceId, seq } = intent
  const until = sql`now() + ${leaseMs} * interval '1 millisecond'`
  const isHeldBack = sql`exists (
    select from offline_intent_verdict earlier
    where earlier.device_id = ${deviceId} and earlier.resource_id = ${resourceId}::text
      and earlier.seq < ${seq}::bigint and earlier.verdict is null
      and earlier.intent_id <> ${intentId}
      and earlier.claimed_until > now() - ${HOLDS_BACK_HOURS} * interval '1 hour')`
  return sql<IntentRow>`
    with written as (
      insert into offline_intent_verdict as stored (${NEW_COLUMNS}, claimed_until)
      select ${newValues(intent)}, ${until} where not ${isHeldBack}
      on conflict (tenant_id, device_id, intent_id) do update
      set attempt = stored.attempt + 1, claimed_until = ${until}
      where stored.verdict is null and stored.claimed_until <= now()
        and stored.content_hash = excluded.content_hash
      returning true as claimed, stored.*
    )
    ${writtenOrStored(intent)}`
}

/** Stores an intent that has to wait, without an attempt. No row: two of them raced. */
export function holdIntent(intent: NewIntent): Statement<IntentRow> {
  return sql<IntentRow>`
    with written as (
      insert into offline_intent_verdict as stored (${NEW_COLUMNS}, attempt, claimed_until)
      select ${newValues(intent)}, 0, now()
      on conflict (tenant_id, device_id, intent_id) do nothing
      returning false as claimed, stored.*
    )
    ${writtenOrStored(intent)}`
}

export function selectIntent(deviceId: DeviceId, intentId: Id<'int'>): Statement<IntentRow> {
  return sql<IntentRow>`
    select false as claimed, ${COLUMNS} from offline_intent_verdict
    where device_id = ${deviceId} and intent_id = ${intentId}`
}

const ownAttempt = ({ deviceId, intentId, attempt }: StoredIntent): SqlFragment =>
  sql`device_id = ${deviceId} and intent_id = ${intentId} and attempt = ${attempt}
    and verdict is null`

/** No row: a later attempt has claimed the intent. */
export function writeVerdict(
  claimed: StoredIntent,
  { verdict, propertyId, decidedAt }: Pick<Decision, 'verdict' | 'propertyId' | 'decidedAt'>,
): Statement<{ id: string }> {
  const { verdict: name, ...detail } = verdict
  return sql<{ id: string }>`
    update offline_intent_verdict
    set verdict = ${name}, detail = ${JSON.stringify(detail)}::jsonb, decided_at = ${decidedAt},
      property_id = ${propertyId === null ? null : idToUuid(propertyId)}::uuid
    where ${ownAttempt(claimed)}
    returning id`
}

export function releaseIntent(claimed: StoredIntent): Statement<unknown> {
  return sql`update offline_intent_verdict set claimed_until = now() where ${ownAttempt(claimed)}`
}

export interface ContactRow {
  readonly received_at: Date
  readonly boot_id: string
}

export function selectLastContact(deviceId: DeviceId): Statement<ContactRow> {
  return sql<ContactRow>`
    select received_at, boot_id from offline_intent_verdict
    where device_id = ${deviceId} order by received_at desc limit 1`
}
