import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'

/** The deadline and trace that all upstream calls of one request share (P9). */
export interface UpstreamCall {
  readonly deadline: Deadline
  readonly trace: TraceContext
}
