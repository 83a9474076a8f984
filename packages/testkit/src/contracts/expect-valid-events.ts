import { assertSchemaName } from '@melmastoon/chassis/db'
import type { ServiceContracts } from '@melmastoon/chassis/service'
import type { EventMessage } from '@melmastoon/events'
import { Client } from 'pg'
import { expect } from 'vitest'
import { closedCheck } from '../closed-schema.ts'

interface EventRow extends EventMessage {
  readonly event_id: string
  readonly subject: string
}

/**
 * Every event of a test satisfies its contract (P6), published or not. Fails without events,
 * because that would prove nothing. Returns the events for further assertions.
 */
export async function expectValidEvents(
  adminUrl: string,
  { schema, registry }: Pick<ServiceContracts, 'schema' | 'registry'>,
): Promise<readonly EventMessage[]> {
  const events = await readEvents(adminUrl, schema)
  expect(events.length, 'events to validate').toBeGreaterThan(0)
  for (const { envelope, payload, event_id, subject } of events) {
    registry.validate({ envelope, payload })
    expect({ event_id, subject }).toEqual({
      event_id: envelope.eventId,
      subject: envelope.subject,
    })
  }
  return events
}

/** The same, and no payload has a member that its definition does not name. */
export async function expectClosedEvents(
  adminUrl: string,
  contracts: Pick<ServiceContracts, 'schema' | 'registry'>,
): Promise<readonly EventMessage[]> {
  const events = await expectValidEvents(adminUrl, contracts)
  for (const { envelope, payload } of events) {
    const { definitions } = contracts.registry
    const definition = definitions.find(({ subject }) => subject === envelope.subject)
    if (definition === undefined) throw new TypeError(envelope.subject)
    const check = closedCheck(definition.payload)
    expect(check(payload), envelope.subject).toEqual([])
    expect(check({ ...Object(payload), guestEmail: 'a@example.com' })).not.toEqual([])
  }
  return events
}

/** As the superuser, who bypasses all policies; both tables in one snapshot. */
async function readEvents(adminUrl: string, schema: string): Promise<EventRow[]> {
  assertSchemaName(schema)
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rows } = await client.query<EventRow>(
      `select event_id, subject, envelope, payload from ${schema}.outbox
       union all
       select event_id, subject, envelope, payload from ${schema}.outbox_published`,
    )
    return rows
  } finally {
    await client.end()
  }
}
