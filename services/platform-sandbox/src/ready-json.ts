const written = new WeakMap<object, Buffer>()

/**
 * Keeps the JSON of a response beside it, for a module that can write it cheaper than a serialiser
 * could. Whoever calls the handler directly sees the object alone.
 */
export function withJson<Body extends object>(body: Body, bytes: Buffer): Body {
  written.set(body, bytes)
  return body
}

export function readyJson(body: unknown): Buffer | undefined {
  return typeof body === 'object' && body !== null ? written.get(body) : undefined
}
