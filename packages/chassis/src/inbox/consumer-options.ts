import type { EventMessage, EventRegistry } from '@melmastoon/events'
import type { Backoff, EventBus } from '../bus/index.ts'
import type { Database, Tx } from '../db/index.ts'
import type { Tracer } from '../telemetry/index.ts'

export interface EventHandler {
  /**
   * `tenant`: the transaction is scoped to the tenant of the validated envelope, and an event
   * without one is refused. `service`: a plain transaction on service-scoped tables.
   */
  scope: 'tenant' | 'service'
  /** Effects in the database only: they commit together with the record that the event was seen. */
  handle(tx: Tx, event: EventMessage): Promise<void>
  /**
   * After the commit and before the acknowledgement, for effects outside the database such as cache
   * invalidation. Runs at least once, duplicates included, so it must be idempotent.
   */
  onCommitted?(event: EventMessage): Promise<void> | void
}

export interface ConsumerOptions {
  /** With the app role. */
  db: Database
  bus: EventBus
  registry: Pick<EventRegistry, 'validate'>
  /** The service's name; the broker's subscription is `<subscription>.<subject>`. */
  subscription: string
  handlers: Readonly<Record<string, EventHandler>>
  /** Other producers' names for a subject we handle (D19): alias → subject of the handler. */
  aliases?: Readonly<Record<string, string>>
  maxAttempts?: number
  maxInFlight?: number
  ackDeadlineMs?: number
  /** How long `stop` waits for running handlers; below what the shutdown phase has. */
  drainMs?: number
  backoff?: Backoff
  metrics?: Partial<ConsumerMetrics>
  /** Hears of each failed delivery and of a broker that is away; the consumer goes on by itself. */
  onError: (error: Error) => void
  tracer?: Tracer
}

export interface ConsumerMetrics {
  onProcessed(subject: string): void
  onDuplicate(subject: string): void
  onDead(subject: string, reason: string): void
}
