import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'

export interface PublicJwk {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly y?: string
}

export interface CredentialRow {
  operator_id: string
  password_hash: string
  totp_secret: string | null
  totp_last_step: number
  authenticator_jwk: PublicJwk | null
  mfa_failures: number
  mfa_failing_since: Date | null
}

const credentialColumns = rawSql(`operator_id, password_hash, totp_secret, totp_last_step,
  authenticator_jwk, mfa_failures, mfa_failing_since`)

export function selectCredentialByName(tenant: string, username: string): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.iam_credential
    where tenant_id = ${tenant}::uuid and username = ${username}`
}

export function selectCredential(tenant: string, operator: string): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.iam_credential
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid`
}

/** Attempts of one operator are verified one after the other, so that none counts twice. */
export function lockCredential(tenant: string, operator: string): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.iam_credential
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid for update`
}

export interface MfaState {
  readonly lastStep: number
  readonly failures: number
  readonly failingSince: Date | null
}

/** Requires the lock of `lockCredential`. */
export function updateMfaState(
  tenant: string,
  operator: string,
  { lastStep, failures, failingSince }: MfaState,
): Statement<unknown> {
  return sql`
    update sandbox.iam_credential
    set totp_last_step = ${lastStep}, mfa_failures = ${failures},
      mfa_failing_since = ${failingSince}::timestamptz
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid`
}

export interface NewCredential {
  readonly tenant_id: string
  readonly operator_id: string
  readonly username: string
  readonly password_hash: string
  readonly totp_secret: string
  readonly authenticator_jwk: PublicJwk
}

/** Any number of rows in one parameter. Existing ones stay unchanged. */
export function insertCredentials(credentials: readonly NewCredential[]): Statement<unknown> {
  return sql`
    insert into sandbox.iam_credential (tenant_id, operator_id, username, password_hash,
      totp_secret, authenticator_jwk)
    select c.* from json_to_recordset(${JSON.stringify(credentials)}::json) as c (tenant_id uuid,
      operator_id uuid, username text, password_hash text, totp_secret text,
      authenticator_jwk jsonb)
    on conflict do nothing`
}
