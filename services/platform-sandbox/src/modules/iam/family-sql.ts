import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { FamilyPosition } from './decide-refresh.ts'

export interface FamilyRow {
  tenant_id: string
  family_id: string
  session_id: string
  operator_id: string
  device_id: string
  jkt: string
  token_key: Buffer
  generation: number
  replacements: number
  parent_replacement: number
  rotated_at: Date
  expires_at: Date
  revoked_at: Date | null
}

const familyColumns = rawSql(`tenant_id, family_id, session_id, operator_id, device_id, jkt,
  token_key, generation, replacements, parent_replacement, rotated_at, expires_at, revoked_at`)

export interface NewFamily {
  readonly tenant: string
  readonly family: string
  readonly session: string
  readonly operator: string
  readonly device: string
  readonly jkt: string
  readonly tokenKey: Buffer
  readonly now: Date
  readonly expiresAt: Date
}

export function insertFamily(family: NewFamily): Statement<FamilyRow> {
  return sql<FamilyRow>`
    insert into sandbox.iam_token_family (tenant_id, family_id, session_id, operator_id, device_id,
      jkt, token_key, rotated_at, created_at, expires_at)
    values (${family.tenant}::uuid, ${family.family}::uuid, ${family.session}::uuid,
      ${family.operator}::uuid, ${family.device}::uuid, ${family.jkt}, ${family.tokenKey}::bytea,
      ${family.now}::timestamptz, ${family.now}::timestamptz, ${family.expiresAt}::timestamptz)
    returning ${familyColumns}`
}

export function selectFamily(tenant: string, family: string): Statement<FamilyRow> {
  return sql<FamilyRow>`
    select ${familyColumns} from sandbox.iam_token_family
    where tenant_id = ${tenant}::uuid and family_id = ${family}::uuid`
}

export function selectSession(tenant: string, session: string): Statement<FamilyRow> {
  return sql<FamilyRow>`
    select ${familyColumns} from sandbox.iam_token_family
    where tenant_id = ${tenant}::uuid and session_id = ${session}::uuid`
}

/** Compare-and-set: no row when the family was changed or revoked since `from` was read. */
export function advanceFamily(from: FamilyRow, to: FamilyPosition): Statement<FamilyRow> {
  return sql<FamilyRow>`
    update sandbox.iam_token_family
    set generation = ${to.generation}, replacements = ${to.replacements},
      parent_replacement = ${to.parentReplacement}, rotated_at = ${to.rotatedAt}::timestamptz
    where tenant_id = ${from.tenant_id}::uuid and family_id = ${from.family_id}::uuid
      and generation = ${from.generation} and replacements = ${from.replacements}
      and revoked_at is null
    returning ${familyColumns}`
}

export interface Revocation {
  readonly reasonCode: string
  readonly now: Date
}

/** No row when it is already revoked. */
export function revokeFamily(
  tenant: string,
  session: string,
  { reasonCode, now }: Revocation,
): Statement<FamilyRow> {
  return sql<FamilyRow>`
    update sandbox.iam_token_family
    set revoked_at = ${now}::timestamptz, reason_code = ${reasonCode}
    where tenant_id = ${tenant}::uuid and session_id = ${session}::uuid and revoked_at is null
    returning ${familyColumns}`
}

/** All sessions of an operator. */
export function revokeFamilies(
  tenant: string,
  operator: string,
  { reasonCode, now }: Revocation,
): Statement<FamilyRow> {
  return sql<FamilyRow>`
    update sandbox.iam_token_family
    set revoked_at = ${now}::timestamptz, reason_code = ${reasonCode}
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid and revoked_at is null
    returning ${familyColumns}`
}

/** The newest first. */
export function selectActiveFamilies(
  tenant: string,
  { now, rows }: { readonly now: Date; readonly rows: number },
): Statement<FamilyRow & { created_at: Date }> {
  return sql<FamilyRow & { created_at: Date }>`
    select ${familyColumns}, created_at from sandbox.iam_token_family
    where tenant_id = ${tenant}::uuid and revoked_at is null
      and expires_at > ${now}::timestamptz
    order by created_at desc limit ${rows}`
}
