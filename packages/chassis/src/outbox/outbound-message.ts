import type { OutboundMessage } from '../bus/index.ts'
import type { OutboxRow } from './relay-sql.ts'

/**
 * Postgres prints jsonb in one format, and quotes inside strings are escaped, so this text can only
 * be the key itself. Any other envelope is parsed.
 */
const UNPUBLISHED = '"publishedAt": null'

export function toOutboundMessage(row: OutboxRow): OutboundMessage {
  const { eventId, subject, orderingKey } = row
  const body = `{"envelope":${stampEnvelope(row)},"payload":${row.payload}}`
  return { eventId, subject, orderingKey, body, attributes: attributesOf(row) }
}

function stampEnvelope({ envelope, readAt }: OutboxRow): string {
  if (envelope.includes(UNPUBLISHED)) {
    return envelope.replace(UNPUBLISHED, `"publishedAt": "${readAt}"`)
  }
  return JSON.stringify({ ...JSON.parse(envelope), publishedAt: readAt })
}

function attributesOf({ traceparent, tenantId }: OutboxRow): Record<string, string> {
  return {
    ...(traceparent !== null && { traceparent }),
    ...(tenantId !== null && { tenantId }),
  }
}
