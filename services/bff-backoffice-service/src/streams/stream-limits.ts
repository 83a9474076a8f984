/** Times and bounds of streams; tests shorten them. */
export interface StreamLimits {
  readonly heartbeatMs: number
  /** How often a process reads the log although no message arrived. */
  readonly repairMs: number
  /** How often ended sessions, replaced streams and lost scopes are looked for. */
  readonly sweepMs: number
  /** A reader that has received nothing for this long is disconnected. */
  readonly undrainedMs: number
  /** So is one with more unsent bytes. */
  readonly bufferBytes: number
  /** How long before its token expires a device is asked for a new one. */
  readonly renewBeforeMs: number
  /** How long a stream outlives its token. */
  readonly graceMs: number
  readonly lifetimeMs: number
  /** How long a stopping process waits for the ends of its streams. */
  readonly stopMs: number
  /** Of this process. */
  readonly streamsMax: number
}

export const STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  repairMs: 5_000,
  sweepMs: 2_000,
  undrainedMs: 15_000,
  bufferBytes: 256 * 1_024,
  renewBeforeMs: 60_000,
  graceMs: 60_000,
  lifetimeMs: 50 * 60_000,
  stopMs: 2_500,
  streamsMax: 10_000,
}

/** For tests: other limits, and negative controls, which disable a safeguard. */
export interface StreamControls {
  readonly limits?: Partial<StreamLimits>
  /** False: appended events are not announced to the processes. */
  readonly announces?: boolean
  /** False: the log is read only when a message arrives. */
  readonly repairs?: boolean
  /** False: ended sessions and lost scopes are known by messages only. */
  readonly sweeps?: boolean
}

/** Devices that lost their stream at the same moment do not return at the same moment. */
export function retryDelayMs(random: () => number = Math.random): number {
  return 1_000 + Math.floor(random() * 7_001)
}
