import { type Metrics, type Tracer, upstreamMetrics } from '@melmastoon/chassis/telemetry'
import { createUpstream, type Upstream } from '@melmastoon/chassis/upstream'

/** How long we wait for an answer, and for the breaker's next probe. */
export interface UpstreamPatience {
  timeoutMs?: number
  halfOpenAfterMs?: number
}

const TIMEOUT_MS = 1_500

export function createCatalogueUpstream(
  baseUrl: string,
  { metrics, tracer }: { metrics: Metrics; tracer: Tracer },
  patience: UpstreamPatience = {},
): Upstream {
  return createUpstream({
    name: 'catalogue',
    baseUrl,
    retries: 1,
    observer: upstreamMetrics(metrics, 'catalogue'),
    tracer,
    timeoutMs: TIMEOUT_MS,
    ...patience,
  })
}
