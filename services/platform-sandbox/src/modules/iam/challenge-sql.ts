import { type Statement, sql } from '@melmastoon/chassis/db'

export interface NewChallenge {
  readonly tenant: string
  readonly challengeId: string
  readonly operator: string
  readonly device: string
  readonly challenge: string
  readonly expiresAt: Date
}

export function insertChallenge(row: NewChallenge): Statement<unknown> {
  return sql`
    insert into sandbox.iam_mfa_challenge
      (tenant_id, challenge_id, operator_id, device_id, challenge, expires_at)
    values (${row.tenant}::uuid, ${row.challengeId}::uuid, ${row.operator}::uuid,
      ${row.device}::uuid, ${row.challenge}, ${row.expiresAt}::timestamptz)`
}

export interface ChallengeKey {
  readonly tenant: string
  readonly challengeId: string
  readonly operator: string
  readonly device: string
}

/** Each challenge can be used once, also by a wrong signature; otherwise no row. */
export function useChallenge(key: ChallengeKey, now: Date): Statement<{ challenge: string }> {
  return sql<{ challenge: string }>`
    update sandbox.iam_mfa_challenge set used_at = ${now}::timestamptz
    where tenant_id = ${key.tenant}::uuid and challenge_id = ${key.challengeId}::uuid
      and operator_id = ${key.operator}::uuid and device_id = ${key.device}::uuid
      and used_at is null and expires_at > ${now}::timestamptz
    returning challenge`
}
