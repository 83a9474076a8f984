import { type Statement, sql } from '../../db/index.ts'

const NAME = 'outbox-bus'

export interface KnownEpoch {
  epoch: string | null
  /** What was published after this may be lost, if the bus is another one now. */
  since: Date
}

/** The bus as the relays last saw it, kept where no loss of the bus can reach it. */
export function knownEpoch(marginSeconds: number): Statement<KnownEpoch> {
  return sql<KnownEpoch>`
    select max(last_result ->> 'epoch') as "epoch",
      coalesce(max(last_finished_at), now()) - make_interval(secs => ${marginSeconds}) as "since"
    from job_run where name = ${NAME}`
}

export function rememberEpoch(epoch: string): Statement<unknown> {
  return sql`
    insert into job_run (name, last_finished_at, last_result)
    values (${NAME}, now(), jsonb_build_object('epoch', ${epoch}::text))
    on conflict (name) do update
    set last_finished_at = excluded.last_finished_at, last_result = excluded.last_result`
}
