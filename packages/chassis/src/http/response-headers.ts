import type { FastifyInstance, FastifyReply } from 'fastify'
import { encodePayload } from './negotiation.ts'

/**
 * Sent with every response of the API: the headers that protect data other than pages. Each header
 * costs a third of a microsecond, so there are three.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
})

/**
 * Adds a header to any response of this request. For headers that every request sets: writing one
 * list costs a fraction of as many `reply.header` calls.
 */
export function addHeader(reply: FastifyReply, name: string, value: string): void {
  reply.request.state.head.push(name, value)
}

/** Removes such a header, for responses that shared caches store. */
export function dropHeader(reply: FastifyReply, name: string): void {
  const { head } = reply.request.state
  for (let at = head.length - 2; at >= 0; at -= 2) {
    if (head[at] === name) head.splice(at, 2)
  }
}

/** Adds the list to responses that `sendCached` does not write; a route's own headers win. */
export function registerResponseHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, ...[payload, done]) => {
    // Fastify rejects some URLs before any hook runs.
    const head = request.state?.head ?? []
    for (let at = 0; at < head.length; at += 2) {
      const name = head[at] ?? ''
      if (!reply.hasHeader(name)) reply.header(name, head[at + 1])
    }
    done(null, encodePayload(reply, payload))
  })
}
