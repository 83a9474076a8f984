import { type Statement, sql } from '@melmastoon/chassis/db'

/** The last write of a transaction: its lock makes all who change rates commit one by one. */
export function raiseRevision(properties: readonly string[]): Statement<{ revision: number }> {
  return sql<{ revision: number }>`
    with next as (
      update sandbox.pricing_revision set revision = revision + 1 returning revision)
    update sandbox.pricing_property p set revision = next.revision from next
    where p.property_id = any(${properties}::uuid[])
    returning p.revision`
}
