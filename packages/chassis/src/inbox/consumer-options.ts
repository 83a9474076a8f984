import type { Backoff, EventBus } from '../bus/index.ts'
import type { Database } from '../db/index.ts'
import type { Tracer } from '../telemetry/index.ts'
import type { EventHandler } from './event-handler.ts'

export interface ConsumerOptions {
  /** With the app role. */
  db: Database
  bus: EventBus
  /** The service's name; the broker's subscription is `<subscription>.<subject>`. */
  subscription: string
  /** Created by `on`; at most one per subject. */
  handlers: readonly EventHandler[]
  /** The service's own naming of dead letters (D32); `<subscription>-dlq.<subject>` by default. */
  deadLetterName?: (subject: string) => string
  maxAttempts?: number
  maxInFlight?: number
  ackDeadlineMs?: number
  /** How long `stop` waits for running handlers; shorter than the shutdown phase. */
  drainMs?: number
  backoff?: Backoff
  metrics?: Partial<ConsumerMetrics>
  /** Receives each failed delivery and each failure of the broker; the consumer continues. */
  onError: (error: Error) => void
  tracer?: Tracer
}

export interface ConsumerMetrics {
  onProcessed(subject: string): void
  onDuplicate(subject: string): void
  onDead(subject: string, reason: string): void
}
