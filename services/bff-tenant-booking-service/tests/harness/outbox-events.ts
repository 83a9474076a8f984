import type { Booking } from './start-booking.ts'

/** An event in the outbox. */
export interface OutboxRow {
  readonly subject: string
  readonly payload: Record<string, unknown>
  readonly envelope: Record<string, unknown>
}

/** All events so far with an ordering key (a session or a draft), in the order of delivery. */
export async function eventsOf(
  { service: { ctx }, environment }: Pick<Booking, 'service' | 'environment'>,
  orderingKey: string,
): Promise<OutboxRow[]> {
  // Disposal waits for running work only; that work may have started more, once.
  await ctx.background[Symbol.asyncDispose]()
  await ctx.background[Symbol.asyncDispose]()
  await ctx.telemetry.flush()
  const { schema } = environment
  const columns = 'seq, subject, payload, envelope, ordering_key'
  return await environment.query<OutboxRow>(
    `select subject, payload, envelope from (
       select ${columns} from ${schema}.outbox
       union all
       select ${columns} from ${schema}.outbox_published
     ) events where ordering_key = $1 order by seq`,
    [orderingKey],
  )
}

/** Subjects without their common prefix. */
export function eventNames(events: readonly Pick<OutboxRow, 'subject'>[]): string[] {
  return events.map(({ subject }) => subject.replace('melmastoon.bff.tenant.', ''))
}
