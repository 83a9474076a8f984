import type { TestEnvironment } from '@melmastoon/testkit'

/** The last word of the subjects of a session's events, published or not, in order. */
export async function sessionEvents(
  { schema, query }: Pick<TestEnvironment, 'schema' | 'query'>,
  sessionId: string,
): Promise<string[]> {
  const columns = 'subject, occurred_at, ordering_key'
  const rows = await query<{ readonly name: string }>(
    `select split_part(subject, '.', 5) as name from (
       select ${columns} from ${schema}.outbox
       union all
       select ${columns} from ${schema}.outbox_published
     ) as all_events
     where ordering_key = $1 and subject like '%.session.%' order by occurred_at`,
    [sessionId],
  )
  return rows.map(({ name }) => name)
}
