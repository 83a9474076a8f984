import { type Statement, sql } from '@melmastoon/chassis/db'

type Pruned = { readonly pruned: number }

export function pruneQuotes(days: number, limit: number): Statement<Pruned> {
  return sql<Pruned>`
    with old as (
      select tenant_id, quote_id from sandbox.pricing_quote
      where expires_at < now() - make_interval(days => ${days}::int) limit ${limit}),
    unused as (
      delete from sandbox.pricing_quote_redemption r using old
      where r.tenant_id = old.tenant_id and r.quote_id = old.quote_id and r.lapses_at is not null),
    gone as (
      delete from sandbox.pricing_quote q using old
      where q.tenant_id = old.tenant_id and q.quote_id = old.quote_id returning 1)
    select count(*)::int as pruned from gone`
}

/** Quotes carry the snapshot they used, so no old one is ever read again. */
export function pruneFxSnapshots(days: number): Statement<Pruned> {
  return sql<Pruned>`
    with gone as (
      delete from sandbox.pricing_fx_snapshot
      where taken_at < now() - make_interval(days => ${days}::int) returning 1)
    select count(*)::int as pruned from gone`
}
