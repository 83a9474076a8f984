/**
 * One interface to the broker with two transports (P4). Both deliver at least once and in order per
 * subject and ordering key. Do not rely on the broker's message id (D12).
 */
export interface OutboundMessage {
  eventId: string
  subject: string
  orderingKey: string
  /** JSON of `{ envelope, payload }`. */
  body: string
  /** Small and free of personal data: `traceparent`, `tenantId`. */
  attributes: Record<string, string>
}

/**
 * `rejected`: the broker will never accept this message, so the attempt is counted.
 * `unavailable`: the broker could not be reached; the message itself is valid.
 */
export type PublishOutcome =
  | { ok: true }
  | { ok: false; kind: 'rejected' | 'unavailable'; reason: string }

export interface InboundMessage {
  /** The broker's id, for logs only. */
  brokerId: string
  eventId: string
  subject: string
  orderingKey: string
  body: string
  attributes: Record<string, string>
  /** 1 on the first delivery. */
  deliveryCount: number
}

export interface SubscribeOptions {
  /** The consumer's name; the broker-side subscription is `<subscription>.<subject>`. */
  subscription: string
  subjects: readonly string[]
  /** Maximum number of concurrent handlers; messages of one key are never concurrent. */
  maxInFlight?: number
  /** How long an unresponsive consumer holds its messages before another one takes them over. */
  ackDeadlineMs?: number
  maxDeliveries?: number
  /** Default: `<subscription>-dlq.<subject>` (D32). */
  deadLetterName?: (subject: string) => string
  /** How long `stop` waits for running handlers; shorter than the shutdown phase. */
  drainMs?: number
  backoff?: Backoff
  onError?: (error: Error) => void
  onDead?: (message: InboundMessage, reason: string) => void
}

export interface Backoff {
  minMs: number
  maxMs: number
}

export interface Subscription extends AsyncDisposable {
  /** Stops reading, waits for the running handlers and returns the other messages to the broker. */
  stop(): Promise<void>
}

export type MessageHandler = (message: InboundMessage) => Promise<void>

/** Identifies the broker's data set: another value means that it restarted empty or failed over. */
export interface BusEpoch {
  read(): Promise<string>
  /** From now on `publish` fails as `unavailable` when the broker has another epoch. */
  expect(epoch: string): void
}

/** Messages that a subscription gave up on (D32). */
export interface DeadLetters {
  depth(name: string): Promise<number>
  /**
   * Publishes the oldest ones again, for all subscriptions of the subject: those that had processed
   * them recognise the event id. Returns how many.
   */
  replay(request: {
    readonly name: string
    readonly subject: string
    readonly limit: number
  }): Promise<number>
}

export interface EventBus extends AsyncDisposable {
  /**
   * One outcome per message, in order; never throws for the broker's failures. When a message
   * fails, later messages of its subject and key in the same call are not sent and fail as well, so
   * that a retry cannot arrive behind its successors.
   */
  publish(messages: readonly OutboundMessage[]): Promise<PublishOutcome[]>
  /** Only for a broker without tools of its own for them. */
  deadLetters?: DeadLetters
  /** Only for a broker that may lose acknowledged messages. */
  epoch?: BusEpoch
  /**
   * Returns even while the broker is unavailable and keeps trying, so that a process can start
   * without it (D22). If the handler resolves, the message is acknowledged; if it throws, the
   * message is delivered again after a back-off, or dead-lettered for a `PoisonMessage`.
   */
  subscribe(options: SubscribeOptions, handle: MessageHandler): Promise<Subscription>
}
