import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { measureWork } from '../src/harness/measure-work.ts'
import { serveCommands } from '../src/harness/serve-commands.ts'

const COLUMNS = 'event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key'
const clients = []
let batches = []

async function start({ url, inFlight }) {
  for (let i = 0; i < inFlight; i += 1) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    clients.push(client)
  }
}

function prepare({ count, batch, event }) {
  const fresh = () => {
    const eventId = `evt_${randomBytes(13).toString('hex')}`
    return { ...event, eventId, envelope: { ...event.envelope, eventId }, orderingKey: eventId }
  }
  batches = Array.from({ length: count }, () => Array.from({ length: batch }, fresh))
}

const escape = (text) => text.replaceAll('\\', '\\\\')

function line(event) {
  const payload = escape(JSON.stringify(event.payload))
  const envelope = escape(JSON.stringify(event.envelope))
  const { eventId, tenantUuid, subject, occurredAt, orderingKey } = event
  const fields = [eventId, tenantUuid, subject, payload, envelope, occurredAt, orderingKey]
  return `${fields.join('\t')}\n`
}

async function copy(client, events) {
  const stream = client.query(from(`copy outbox (${COLUMNS}) from stdin`))
  const done = once(stream, 'finish')
  stream.end(events.map(line).join(''))
  await done
}

/** One COPY and one commit per batch, as for the inserts. */
async function measure({ count, inFlight }) {
  const free = [...clients]
  const run = async (index) => {
    const client = free.pop()
    await copy(client, batches[index])
    free.push(client)
  }
  return measureWork({ count, inFlight, run })
}

serveCommands({ start, prepare, measure })
