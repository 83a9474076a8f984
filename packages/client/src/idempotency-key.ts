const KEY_HEADER = 'idempotency-key'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const KEY_BYTES = 16

/** One key per intended effect: a caller that passes a key repeats an earlier call. */
export function keyOf(request: Request, newKey: () => string): string | null {
  const given = request.headers.get(KEY_HEADER)
  if (given !== null) return given
  return SAFE_METHODS.has(request.method) ? null : newKey()
}

export function withKey(request: Request, key: string | null): Headers {
  const headers = new Headers(request.headers)
  if (key !== null) headers.set(KEY_HEADER, key)
  return headers
}

/** Not `crypto.randomUUID`: browsers offer that on secure origins only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
