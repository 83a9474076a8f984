import { idToUuid, type TenantId } from '@melmastoon/domain'
import { type SqlFragment, sql } from '../../db/index.ts'

/** Which row of which table: the two columns of `ux_idempotency_scope`. */
export interface RowScope {
  readonly table: SqlFragment
  readonly tenantId: TenantId | null
  readonly digest: string
}

/** One generation of a key held by one attempt: every write after the claim carries both. */
export interface RowFence {
  readonly attempt: number
  /** `created_at` as text, in full precision: attempt numbers restart once a row was pruned. */
  readonly generation: string
}

export function tenantUuid(tenantId: TenantId | null): string | null {
  return tenantId === null ? null : idToUuid(tenantId)
}

/** `is not distinct from` would not use the index. */
export function isRow({ tenantId, digest }: RowScope): SqlFragment {
  return tenantId === null
    ? sql`i.tenant_id is null and i.key = ${digest}`
    : sql`i.tenant_id = ${idToUuid(tenantId)} and i.key = ${digest}`
}

export function isHeldBy(row: RowScope, fence: RowFence): SqlFragment {
  return sql`${isRow(row)} and i.state = 'in_progress' and i.attempt = ${fence.attempt}
    and i.created_at = ${fence.generation}::timestamptz`
}

export function milliseconds(value: number): SqlFragment {
  return sql`${value} * interval '1 millisecond'`
}

/**
 * Whether a row may be claimed although it exists: an expired generation counts as absent, and an
 * unfinished one is resumed by the same request once its lease has lapsed. A live lease is never
 * taken, not even past the expiry (IDEM-24).
 */
export function isTakeable(hashVersion: number, requestHash: string): SqlFragment {
  return sql`case i.state
    when 'completed' then i.expires_at <= now()
    else i.lease_until <= now() and (i.expires_at <= now()
      or (i.hash_version = ${hashVersion} and i.request_hash = ${requestHash}))
  end`
}
