import type { Tracer } from '../telemetry/index.ts'
import type { BreakerState } from './guard.ts'

export interface UpstreamObserver {
  onCall?(call: { operation: string; outcome: string; durationMs: number }): void
  onBreaker?(state: BreakerState): void
  onDrift?(operation: string, where: string): void
}

export interface UpstreamOptions {
  name: string
  baseUrl: string
  timeoutMs: number
  /** How often a call may be repeated, where repeating is safe at all. */
  retries: number
  connections?: number
  concurrentMax?: number
  queueMax?: number
  halfOpenAfterMs?: number
  /** Service-to-service authentication, added to every call. */
  authorize?: () => Record<string, string>
  observer?: UpstreamObserver
  tracer?: Tracer
}
