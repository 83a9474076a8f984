import type { TSchema } from 'typebox'
import type { Pool } from 'undici'
import { readRepeatedList } from './known-parts.ts'
import { findDrift, isJson, parseBody } from './parse-response.ts'
import { type RawResponse, receiveResponse } from './receive-response.ts'
import { buildRequest } from './request.ts'
import { UpstreamFailure } from './upstream-failure.ts'
import type { UpstreamOptions } from './upstream-options.ts'
import {
  UpstreamRejection,
  type UpstreamRequest,
  type UpstreamResponse,
} from './upstream-request.ts'

/** Larger than any page we compose; a larger response is a fault of the upstream. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024

interface Connection {
  pool: Pool
  options: UpstreamOptions
}

/** One request and its validated response; every failure has a kind. */
export async function exchange<S extends TSchema>(
  { pool, options }: Connection,
  call: UpstreamRequest<S>,
  signal: AbortSignal,
): Promise<UpstreamResponse<S>> {
  const { name } = options
  const startedAt = performance.now()
  const fail = (cause: unknown): never => {
    if (cause instanceof UpstreamFailure) throw cause
    if (!signal.aborted) throw new UpstreamFailure(name, 'connection', cause)
    const waitedMs = performance.now() - startedAt
    throw new UpstreamFailure(name, failureKind(options, call, waitedMs), signal.reason)
  }
  const response = await receiveResponse(pool, buildRequest(options, call), {
    signal,
    bytesMax: RESPONSE_BYTES_MAX,
    tooLarge: () => new UpstreamFailure(name, 'contract', 'response too large'),
  }).catch(fail)
  const { status, headers } = response
  if (status >= 500) throw new UpstreamFailure(name, 'server-error', status)
  if (status >= 400) throw rejection(name, response)
  const value = readValue(options, call, response)
  return { value: value as UpstreamResponse<S>['value'], status, headers }
}

/** @throws UpstreamFailure when it violates the contract. */
function readValue(
  options: UpstreamOptions,
  call: UpstreamRequest<TSchema>,
  response: RawResponse,
): unknown {
  const { repeats, schema } = call
  const isList = repeats !== undefined && isJson(response.headers['content-type'])
  const known = isList ? readRepeatedList(schema, repeats, response.bytes) : undefined
  if (known !== undefined) return known
  const value = parseBody(options.name, response)
  assertContract(options, call, value)
  return value
}

/**
 * Only a problem document explains a 4xx to a feature: a gateway's 404 is not a missing room.
 */
function rejection(name: string, response: RawResponse): Error {
  try {
    return new UpstreamRejection(name, response.status, parseBody(name, response))
  } catch {
    return new UpstreamFailure(name, 'rejected', response.status)
  }
}

/**
 * A timeout is attributed to the upstream when it used its whole timeout, or half of it before the
 * caller's deadline. A caller that disconnected, or had little time left, proves nothing about it.
 */
function failureKind(options: UpstreamOptions, call: UpstreamRequest<TSchema>, waitedMs: number) {
  const reason: unknown = call.deadline.signal.reason
  if (!call.deadline.signal.aborted) return 'timeout'
  const ranOut = reason instanceof DOMException && reason.name === 'TimeoutError'
  return ranOut && waitedMs >= options.timeoutMs / 2 ? 'timeout' : 'cancelled'
}

function assertContract(
  options: UpstreamOptions,
  call: UpstreamRequest<TSchema>,
  value: unknown,
): void {
  const drift = findDrift(call.schema, value)
  if (drift === null) return
  options.observer?.onDrift?.(call.operation, drift)
  throw new UpstreamFailure(options.name, 'contract', drift)
}
