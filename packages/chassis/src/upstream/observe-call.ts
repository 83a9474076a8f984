import type { TSchema } from 'typebox'
import { noopTracer, type Span } from '../telemetry/index.ts'
import { type UpstreamAnswer, type UpstreamCall, UpstreamRefusal } from './upstream-call.ts'
import { fromUpstreamFailure, UpstreamFailure } from './upstream-failure.ts'
import type { UpstreamOptions } from './upstream-options.ts'

/** Counts and traces one call, retries included, and turns the upstream's faults into problems. */
export async function observeCall<S extends TSchema>(
  options: UpstreamOptions,
  call: UpstreamCall<S>,
  work: (call: UpstreamCall<S>) => Promise<UpstreamAnswer<S>>,
): Promise<UpstreamAnswer<S>> {
  const startedAt = performance.now()
  const span = startSpan(options, call)
  const report = (outcome: string) => {
    const durationMs = performance.now() - startedAt
    options.observer?.onCall?.({ operation: call.operation, outcome, durationMs })
    if (outcome !== 'ok' && outcome !== 'refused') span?.fail(outcome)
    span?.end()
  }
  try {
    const answer = await work(span === null ? call : { ...call, trace: span.trace })
    report('ok')
    return answer
  } catch (error) {
    report(outcomeOf(error))
    throw error instanceof UpstreamFailure ? fromUpstreamFailure(error) : error
  }
}

function startSpan(options: UpstreamOptions, call: UpstreamCall<TSchema>): Span | null {
  if (call.trace === undefined) return null
  const { tracer = noopTracer, name } = options
  return tracer.startSpan(`${name} ${call.operation}`, call.trace, {
    role: 'client',
    attributes: { 'http.request.method': call.method, 'peer.service': name },
  })
}

function outcomeOf(error: unknown): string {
  if (error instanceof UpstreamFailure) return error.kind
  return error instanceof UpstreamRefusal ? 'refused' : 'failed'
}
