import { type Statement, sql } from '@melmastoon/chassis/db'

export interface PrivateJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly d: string
}

export interface SigningKeyRow {
  kid: string
  private_jwk: PrivateJwk
}

export function selectActiveKey(): Statement<SigningKeyRow> {
  return sql<SigningKeyRow>`
    select kid, private_jwk from sandbox.iam_signing_key where retired_at is null`
}

/** The active key first, then retired keys, until their last token has expired. */
export function selectPublishedKeys(retiredAfter: Date): Statement<SigningKeyRow> {
  return sql<SigningKeyRow>`
    select kid, private_jwk from sandbox.iam_signing_key
    where retired_at is null or retired_at > ${retiredAfter}::timestamptz
    order by retired_at desc nulls first limit 20`
}

export interface NewSigningKey extends SigningKeyRow {
  readonly now: Date
}

/** No row when there is an active key already. */
export function insertKey({ kid, private_jwk, now }: NewSigningKey): Statement<SigningKeyRow> {
  return sql<SigningKeyRow>`
    insert into sandbox.iam_signing_key (kid, private_jwk, created_at)
    values (${kid}, ${private_jwk}::jsonb, ${now}::timestamptz)
    on conflict do nothing returning kid, private_jwk`
}

/** Waits for a concurrent rotation. */
export function retireActiveKey(now: Date): Statement<{ kid: string }> {
  return sql<{ kid: string }>`
    update sandbox.iam_signing_key set retired_at = ${now}::timestamptz
    where retired_at is null returning kid`
}
