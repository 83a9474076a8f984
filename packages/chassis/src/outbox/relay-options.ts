import type { EventBus } from '../bus/index.ts'
import { type Clock, systemClock } from '../clock/index.ts'
import type { Announcements, Database } from '../db/index.ts'

/** Plain callbacks, so that the relay knows no metrics library. */
export interface RelayMetrics {
  /** `lagSeconds`: how long the oldest row of the batch waited, by the database's clock. */
  onPublished(count: number, lagSeconds: number): void
  onRetry(count: number): void
  onDead(event: { eventId: string; subject: string }): void
  /** Rows that this relay published and that another holder of the shard will settle. */
  onFencedMark(count: number): void
  onBrokerUnavailable(reason: string): void
  /** The bus lost data; `replayed` events are published again. */
  onBusChanged(replayed: number): void
  onShards(count: number): void
  onDepth(depth: { depth: number; dead: number; lagSeconds: number }): void
}

export interface RelayOptions {
  /** With the relay role, and room for one connection per queue and one more. */
  db: Database
  bus: EventBus
  /** A readable name; the relay makes it unique per start. */
  owner: string
  batchSize?: number
  queues?: number
  leaseSeconds?: number
  /** Reports written events. Without it, or while it does not listen, the relay polls quickly. */
  announcements?: Pick<Announcements, 'subscribe' | 'isListening'>
  pollMs?: number
  /** How often the relay polls while events are announced: announcements can be lost. */
  idlePollMs?: number
  maxAttempts?: number
  backoffMinMs?: number
  backoffMaxMs?: number
  publishTimeoutMs?: number
  /** How long `stop` waits for the batches in flight; shorter than the shutdown phase. */
  stopMs?: number
  /**
   * How far before the bus was last seen whole a replay begins after it lost data. Consumers should
   * not be further behind than this.
   */
  replayMarginSeconds?: number
  /** Throws for an event that breaks its contract, which is then dead (`registry.validate`). */
  validate?: (message: unknown) => unknown
  /** Events that were checked against this contract when they were written need no other check. */
  contractOf?: (subject: string) => string | undefined
  clock?: Clock
  metrics?: Partial<RelayMetrics>
  /** Receives database errors; the relay retries automatically. */
  onError: (error: unknown) => void
}

export interface RelaySettings extends ReturnType<typeof relaySettings> {
  /** Whether settling proves the lease. */
  fenced: boolean
}

export function relaySettings(options: RelayOptions) {
  return {
    db: options.db,
    bus: options.bus,
    batchSize: options.batchSize ?? 500,
    queues: options.queues ?? 2,
    leaseSeconds: options.leaseSeconds ?? 30,
    announcements: options.announcements,
    pollMs: options.pollMs ?? 250,
    idlePollMs: options.idlePollMs ?? 5_000,
    publishTimeoutMs: options.publishTimeoutMs ?? 5_000,
    // The whole shutdown of a service has nine seconds (P13).
    stopMs: options.stopMs ?? 7_000,
    replayMarginSeconds: options.replayMarginSeconds ?? 600,
    retry: {
      maxAttempts: options.maxAttempts ?? 10,
      backoffMinMs: options.backoffMinMs ?? 1_000,
      backoffMaxMs: options.backoffMaxMs ?? 300_000,
    },
    validate: options.validate,
    contractOf: options.contractOf,
    clock: options.clock ?? systemClock,
    metrics: options.metrics ?? {},
    onError: options.onError,
  }
}
