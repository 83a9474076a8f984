import { type Statement, sql } from '@melmastoon/chassis/db'

interface Pruned {
  pruned: number
}

/** Expired sessions: kept for a day, so that their tokens are still reported as expired. */
export function pruneFamilies(rows: number): Statement<Pruned> {
  return sql<Pruned>`
    with old as (
      select tenant_id, family_id from sandbox.iam_token_family
      where expires_at < now() - interval '1 day' limit ${rows}
    ), gone as (
      delete from sandbox.iam_token_family f using old
      where f.tenant_id = old.tenant_id and f.family_id = old.family_id returning 1
    )
    select count(*)::int as pruned from gone`
}

export function pruneChallenges(rows: number): Statement<Pruned> {
  return sql<Pruned>`
    with old as (
      select tenant_id, challenge_id from sandbox.iam_mfa_challenge
      where expires_at < now() - interval '1 hour' limit ${rows}
    ), gone as (
      delete from sandbox.iam_mfa_challenge c using old
      where c.tenant_id = old.tenant_id and c.challenge_id = old.challenge_id returning 1
    )
    select count(*)::int as pruned from gone`
}

export function pruneFailures(rows: number): Statement<Pruned> {
  return sql<Pruned>`
    with old as (
      select account_hash from sandbox.iam_sign_in_failure
      where since < now() - interval '1 hour' limit ${rows}
    ), gone as (
      delete from sandbox.iam_sign_in_failure f using old
      where f.account_hash = old.account_hash returning 1
    )
    select count(*)::int as pruned from gone`
}

/** No token lives longer than an hour. */
export function pruneSigningKeys(rows: number): Statement<Pruned> {
  return sql<Pruned>`
    with old as (
      select kid from sandbox.iam_signing_key
      where retired_at < now() - interval '1 day' limit ${rows}
    ), gone as (
      delete from sandbox.iam_signing_key k using old where k.kid = old.kid returning 1
    )
    select count(*)::int as pruned from gone`
}
