import { isSealed, type RecordProtection, type Sealed } from './record-protection.ts'

/** A response as it is sent and stored: it is serialised once. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** What a handler returns. An object is sent as JSON; `undefined` is an empty body. */
export interface ResponseDraft {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The `response` column before it is encrypted; rows of earlier releases contain it as it is. */
export interface PlainPayload {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly encoding: 'utf8' | 'base64'
}

export const BODY_BYTES_MAX = 256 * 1024

/** Bound to one exchange or one hop: a replay gets its own, or none (IDEM-04). */
const NEVER_STORED: ReadonlySet<string> = new Set([
  'set-cookie',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'traceparent',
  'tracestate',
  'x-request-id',
  'server-timing',
  'idempotent-replayed',
])

const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers that must not be replayed are dropped here, even if the route sets them. */
export function renderResponse(draft: ResponseDraft): StoredResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(draft.headers ?? {})) {
    const lower = name.toLowerCase()
    if (!NEVER_STORED.has(lower)) headers[lower] = value
  }
  const body = renderBody(draft.body)
  if (body.length > 0) headers['content-type'] ??= JSON_TYPE
  return { status: draft.status, headers, body }
}

function renderBody(body: unknown): string | Buffer {
  if (body === undefined) return ''
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return JSON.stringify(body)
}

/** A response that cannot be stored could never be replayed: an error of the route. */
export function encodeResponse(response: StoredResponse, bytesMax = BODY_BYTES_MAX): PlainPayload {
  const { headers, body } = response
  if (Buffer.byteLength(body) > bytesMax) {
    throw new TypeError(`an idempotent response is limited to ${bytesMax} bytes`)
  }
  const text = typeof body === 'string' ? body : utf8OrNull(body)
  if (text !== null && isPlainText(text)) return { headers, body: text, encoding: 'utf8' }
  return { headers, body: Buffer.from(body).toString('base64'), encoding: 'base64' }
}

export function decodeResponse(status: number, payload: PlainPayload): StoredResponse {
  const { headers, body, encoding } = payload
  return { status, headers, body: encoding === 'base64' ? Buffer.from(body, 'base64') : body }
}

/** The `response` column. */
export type StoredPayload = Sealed | PlainPayload

export function sealResponse(
  records: RecordProtection,
  key: string,
  response: StoredResponse,
): Sealed {
  return records.seal({ key, column: 'response' }, JSON.stringify(encodeResponse(response)))
}

/** @throws Error if it cannot be decrypted: the request must not be executed again. */
export function openResponse(
  records: RecordProtection,
  key: string,
  { status, payload }: { readonly status: number; readonly payload: StoredPayload },
): StoredResponse {
  if (!isSealed(payload)) return decodeResponse(status, payload)
  const text = records.open({ key, column: 'response' }, payload)
  return decodeResponse(status, JSON.parse(text) as PlainPayload)
}

function utf8OrNull(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null
}

/** `jsonb` holds neither U+0000 nor lone surrogates. */
function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
