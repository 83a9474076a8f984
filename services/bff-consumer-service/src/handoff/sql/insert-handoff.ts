import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { HandoffCampaign, HandoffFields, HandoffTimes } from '@melmastoon/security'

export interface HandoffRow extends HandoffFields, HandoffTimes {
  readonly signatureFingerprint: string
  /** Of the guest's device, for the penalty when her link is used twice. */
  readonly fingerprintHash: string
}

export function insertHandoff(row: HandoffRow): Statement<unknown> {
  return sql`
    insert into handoff_replay_log (handoff_id, guest_session_id, target_tenant_id, property_id,
      check_in, check_out, adults, children, rooms, children_ages, currency, locale,
      source_campaign, hmac_key_id, signature_fingerprint, fingerprint_hash, minted_at, expires_at)
    values (${idToUuid(row.id)}::uuid, ${idToUuid(row.guestSessionId)}::uuid,
      ${idToUuid(row.tenantId)}::uuid, ${idToUuid(row.propertyId)}::uuid,
      ${row.checkIn}::date, ${row.checkOut}::date, ${row.adults}::smallint,
      ${row.children}::smallint, ${row.rooms}::smallint, ${row.childrenAges}::smallint[],
      ${row.currency}, ${row.locale}, ${namedOf(row.campaign)}::jsonb, ${row.keyId},
      ${row.signatureFingerprint}, ${row.fingerprintHash},
      ${row.mintedAt}::timestamptz, ${row.expiresAt}::timestamptz)`
}

/** Null where no campaign brought her: what is not named is not kept. */
function namedOf(campaign: HandoffCampaign): string | null {
  const named = Object.entries(campaign).filter(([, text]) => text !== '')
  return named.length === 0 ? null : JSON.stringify(Object.fromEntries(named))
}
