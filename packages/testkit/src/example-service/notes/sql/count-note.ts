import { type Statement, sql } from '@melmastoon/chassis/db'

/** Not idempotent on purpose: that each event counts once is what the inbox is there for. */
export function countNote(tenant: string): Statement<unknown> {
  return sql`
    insert into note_counts as c (tenant_id, placed) values (${tenant}::uuid, 1)
    on conflict (tenant_id) do update set placed = c.placed + 1`
}
