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
  const response = await fetch(new URL(path, url), {
    method,
    body,
    redirect: 'manual',
    headers: {
      ...(body !== null && { 'content-type': type }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...options.headers,
    },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as TestResponse['body']) : {},
    durationMs: performance.now() - startedMs,
  }
}
