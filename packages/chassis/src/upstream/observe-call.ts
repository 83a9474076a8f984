import type { TSchema } from 'typebox'
import { noopTracer, type Span } from '../telemetry/index.ts'
import { fromUpstreamFailure, UpstreamFailure } from './upstream-failure.ts'
import type { UpstreamOptions } from './upstream-options.ts'
import {
  UpstreamRejection,
  type UpstreamRequest,
  type UpstreamResponse,
} from './upstream-request.ts'

/** Counts and traces one call, retries included, and turns the upstream's faults into problems. */
export async function observeCall<S extends TSchema>(
  options: UpstreamOptions,
  call: UpstreamRequest<S>,
  work: (call: UpstreamRequest<S>) => Promise<UpstreamResponse<S>>,
): Promise<UpstreamResponse<S>> {
  const startedAt = performance.now()
  const span = startSpan(options, call)
  const report = (outcome: string) => {
    const durationMs = performance.now() - startedAt
    options.observer?.onCall?.({ operation: call.operation, outcome, durationMs })
    if (outcome !== 'ok' && outcome !== 'rejected') span?.fail(outcome)
    span?.end()
  }
  try {
    const response = await work(span === null ? call : { ...call, trace: span.trace })
    report('ok')
    return response
  } catch (error) {
    report(outcomeOf(error))
    throw error instanceof UpstreamFailure ? fromUpstreamFailure(error) : error
  }
}

function startSpan(options: UpstreamOptions, call: UpstreamRequest<TSchema>): Span | null {
  if (call.trace === undefined) return null
  const { tracer = noopTracer, name } = options
  return tracer.startSpan(`${name} ${call.operation}`, call.trace, {
    role: 'client',
    attributes: { 'http.request.method': call.method, 'peer.service': name },
  })
}

function outcomeOf(error: unknown): string {
  if (error instanceof UpstreamFailure) return error.kind
  return error instanceof UpstreamRejection ? 'rejected' : 'failed'
}
