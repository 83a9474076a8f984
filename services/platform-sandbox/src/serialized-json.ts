const written = new WeakMap<object, Buffer>()

/**
 * Attaches the JSON of a response to it, for a module that can serialize it faster than a generic
 * serializer. A direct caller of the handler sees only the object.
 */
export function withJson<Body extends object>(body: Body, bytes: Buffer): Body {
  written.set(body, bytes)
  return body
}

export function serializedJson(body: unknown): Buffer | undefined {
  return typeof body === 'object' && body !== null ? written.get(body) : undefined
}
