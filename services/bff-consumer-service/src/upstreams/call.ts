import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'

/** For whom upstreams are asked, and until when: all questions of one request share it (P9). */
export interface Call {
  readonly deadline: Deadline
  readonly trace: TraceContext
}
