import { problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type LimitDecision, type Limiter, rateLimitHeaders } from '../limits/index.ts'
import { addHeader } from './response-headers.ts'

export type LimitHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

/** An `onRequest` hook, after the session's: limits by a key such as session, address, device. */
export function createLimitHook(
  limiter: Limiter,
  keyOf: (request: FastifyRequest) => string,
): LimitHook {
  return (request, reply, done) => {
    const key = keyOf(request)
    const known = limiter.takeNow(key)
    if (known !== null) {
      done(apply(reply, known))
      return
    }
    limiter.take(key).then((decision) => done(apply(reply, decision)), done)
  }
}

function apply(reply: FastifyReply, decision: LimitDecision): Error | undefined {
  const headers = rateLimitHeaders(decision)
  if (decision.allowed) {
    for (const name in headers) addHeader(reply, name, headers[name] ?? '')
    return undefined
  }
  const { retryAfterSeconds } = decision
  return problem('MELMASTOON.GENERAL.RATE_LIMITED', { retryAfterSeconds, headers })
}
