import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headSoFar } from './write-response.ts'

/** Shorter than the idle time after which routers of hotels forget a connection. */
const KEEP_ALIVE_MS = 30_000

/**
 * Sends the head of a stream of events (WHATWG HTML §9.2). From now on the caller writes and ends
 * the response. It is never compressed: a compressor per stream would take more memory than all the
 * rest of it.
 */
export function startEventStream(reply: FastifyReply): ServerResponse {
  const head = headSoFar(reply)
  head.push('content-type', 'text/event-stream')
  head.push('cache-control', 'private, no-store, no-transform')
  head.push('x-accel-buffering', 'no')
  reply.raw.writeHead(reply.statusCode, head)
  // Sent by itself, the head is one text in memory; otherwise all of its parts stay there.
  reply.raw.flushHeaders()
  reply.hijack()
  reply.raw.socket?.setKeepAlive(true, KEEP_ALIVE_MS)
  release(reply.request)
  return reply.raw
}

const NO_HEADERS: string[] = []

/** Thousands of streams are open for an hour: what only the request needed, and its credentials. */
function release({ raw, state }: FastifyRequest): void {
  state.detach()
  raw.rawHeaders = NO_HEADERS
  raw.headers = {}
}
