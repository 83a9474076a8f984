import type { TSchema } from 'typebox'
import type { Pool } from 'undici'
import { findDrift } from './answer-contract.ts'
import { readAnswer } from './read-answer.ts'
import { type RawAnswer, receiveAnswer } from './receive-answer.ts'
import { buildRequest } from './request.ts'
import { type UpstreamAnswer, type UpstreamCall, UpstreamRefusal } from './upstream-call.ts'
import { UpstreamFailure } from './upstream-failure.ts'
import type { UpstreamOptions } from './upstream-options.ts'

/** Larger than any page we compose; beyond it an answer is a fault, not a document. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

interface Line {
  pool: Pool
  options: UpstreamOptions
}

/** One request and its checked answer; everything that goes wrong has a kind. */
export async function exchange<S extends TSchema>(
  { pool, options }: Line,
  call: UpstreamCall<S>,
  signal: AbortSignal,
): Promise<UpstreamAnswer<S>> {
  const { name } = options
  const startedAt = performance.now()
  const fail = (cause: unknown): never => {
    if (cause instanceof UpstreamFailure) throw cause
    if (!signal.aborted) throw new UpstreamFailure(name, 'connection', cause)
    const waitedMs = performance.now() - startedAt
    throw new UpstreamFailure(name, whoseFault(options, call, waitedMs), signal.reason)
  }
  const answer = await receiveAnswer(pool, buildRequest(options, call), {
    signal,
    bytesMax: ANSWER_BYTES_MAX,
    tooLarge: () => new UpstreamFailure(name, 'contract', 'answer too large'),
  }).catch(fail)
  const { status, headers } = answer
  if (status >= 500) throw new UpstreamFailure(name, 'server-error', status)
  if (status >= 400) throw rejection(name, answer)
  const value = readAnswer(name, answer)
  assertContract(options, call, value)
  return { value: value as UpstreamAnswer<S>['value'], status, headers }
}

/**
 * Only a problem document tells a feature what a 4xx means; a gateway's 404 is not a missing room.
 */
function rejection(name: string, answer: RawAnswer): Error {
  try {
    return new UpstreamRefusal(name, answer.status, readAnswer(name, answer))
  } catch {
    return new UpstreamFailure(name, 'rejected', answer.status)
  }
}

/**
 * The upstream's, when it used up the time it is allowed, or half of it before our caller's budget
 * ended. A caller who left, or came with next to no time, says nothing about the upstream.
 */
function whoseFault(options: UpstreamOptions, call: UpstreamCall<TSchema>, waitedMs: number) {
  const reason: unknown = call.deadline.signal.reason
  if (!call.deadline.signal.aborted) return 'timeout'
  const ranOut = reason instanceof DOMException && reason.name === 'TimeoutError'
  return ranOut && waitedMs >= options.timeoutMs / 2 ? 'timeout' : 'cancelled'
}

function assertContract(
  options: UpstreamOptions,
  call: UpstreamCall<TSchema>,
  value: unknown,
): void {
  const drift = findDrift(call.schema, value)
  if (drift === null) return
  options.observer?.onDrift?.(call.operation, drift)
  throw new UpstreamFailure(options.name, 'contract', drift)
}
