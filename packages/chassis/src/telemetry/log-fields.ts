import { describeError } from './describe-error.ts'

/**
 * All fields that a log line may contain. Other fields are dropped, so that personal data cannot be
 * logged by accident (SEC-L01). Ids of tenants, drafts, events and jobs are not personal data.
 */
const LOG_FIELDS = [
  'attempt',
  'attempts',
  'batchSize',
  'bytes',
  'cache',
  'code',
  'component',
  'count',
  'dead',
  'depth',
  'draftId',
  'dropped',
  'durationMs',
  'errorCode',
  'event',
  'eventId',
  'failed',
  'fence',
  'flag',
  'job',
  'lagMs',
  'limit',
  'method',
  'operation',
  'outcome',
  'owner',
  'phase',
  'pid',
  'policy',
  'port',
  'published',
  'reason',
  'remainingMs',
  'requestId',
  'retryAfterSeconds',
  'route',
  'runner',
  'schema',
  'shard',
  'shards',
  'signal',
  'spanId',
  'state',
  'status',
  'subject',
  'subscription',
  'tenantId',
  'traceId',
  'upstream',
  'version',
] as const

export type LogField = (typeof LOG_FIELDS)[number]
export type LogFields = { [K in LogField]?: string | number | boolean | null | undefined } & {
  error?: unknown
}

const STRING_LENGTH_MAX = 200

export function pickLogFields(fields: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of LOG_FIELDS) {
    const value = (fields as Record<string, unknown>)[name]
    if (typeof value === 'string') picked[name] = withoutQuery(value)
    else if (typeof value === 'number' || typeof value === 'boolean') picked[name] = value
  }
  const { error } = fields as LogFields
  if (error !== undefined) picked['error'] = describeError(error)
  return picked
}

/** The text after a question mark may be a token or a search phrase. */
function withoutQuery(text: string): string {
  const end = text.indexOf('?')
  return text.slice(0, end === -1 ? STRING_LENGTH_MAX : Math.min(end, STRING_LENGTH_MAX))
}
