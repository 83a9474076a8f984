import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of a JSON response; otherwise empty. */
  readonly body: Record<string, unknown>
  readonly durationMs: number
}

export interface SendOptions {
  /** The `Idempotency-Key`. */
  readonly key?: string | undefined
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>> | undefined
  /** A raw body; `content-type` is JSON unless a header sets another type. */
  readonly raw?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

interface PlainRequest {
  readonly method: string
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

type PlainResponse = Pick<TestResponse, 'status' | 'headers' | 'text'>

async function sendByFetch(target: URL, request: PlainRequest): Promise<PlainResponse> {
  const response = await fetch(target, { ...request, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** `fetch` sends its own `Host` header. */
async function sendWithHost(target: URL, request: PlainRequest): Promise<PlainResponse> {
  const { method, headers, body } = request
  const sent = httpRequest(target, { method, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const received = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) received.append(name, value)
  }
  return { status: response.statusCode ?? 0, headers: received, text: await readText(response) }
}

/** One request over a real connection; redirects are not followed. */
export async function send(
  url: string,
  ...[method, path, options = {}]: [method: string, path: string, options?: SendOptions]
): Promise<TestResponse> {
  const { json, form, key } = options
  const formBody = form === undefined ? null : new URLSearchParams(form).toString()
  const body = options.raw ?? formBody ?? (json === undefined ? null : JSON.stringify(json))
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const startedMs = performance.now()
  const headers: Record<string, string> = {
    ...(body !== null && { 'content-type': type }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...options.headers,
  }
  const request = { method, body, headers }
  const target = new URL(path, url)
  const response = await ('host' in headers ? sendWithHost : sendByFetch)(target, request)
  const { text } = response
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    ...response,
    body: isJson && text !== '' ? (JSON.parse(text) as TestResponse['body']) : {},
    durationMs: performance.now() - startedMs,
  }
}
