/**
 * One interface to the broker with two transports (P4). Both deliver at least once and in order per
 * subject and ordering key; the broker's own message id must not be relied on
 * (D12).
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
 * `rejected`: the broker will never take this message as it is, so an attempt is spent.
 * `unavailable`: the broker could not be reached; the message itself is not at fault.
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
  /** Handlers running at once; messages of one key never run at the same time. */
  maxInFlight?: number
  /** How long an unresponsive consumer holds its messages before another one takes them over. */
  ackDeadlineMs?: number
  maxDeliveries?: number
  /** `<subscription>-dlq.<subject>` unless the service has its own naming (D32). */
  deadLetterName?: (subject: string) => string
  /** How long `stop` waits for running handlers; below what the shutdown phase has. */
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
  /** Takes no new messages, waits for the running handlers, gives back what was not started. */
  stop(): Promise<void>
}

export type MessageHandler = (message: InboundMessage) => Promise<void>

/** Identifies the broker's data set: another value means that it restarted empty or failed over. */
export interface BusEpoch {
  read(): Promise<string>
  /** From now on `publish` is `unavailable` as soon as the broker is not the same any more. */
  expect(epoch: string): void
}

export interface EventBus extends AsyncDisposable {
  /**
   * One outcome per message, in order; never throws for the broker's failures. When a message
   * fails, later messages of its subject and key in the same call are not sent and fail as well, so
   * that a retry cannot arrive behind its successors.
   */
  publish(messages: readonly OutboundMessage[]): Promise<PublishOutcome[]>
  /** Only on a broker that may lose what it acknowledged. */
  epoch?: BusEpoch
  /**
   * Returns whether the broker is there or not and goes on trying: a process starts without it
   * (D22). Resolve = acknowledge, throw = deliver again after a back-off, `PoisonMessage` = dead
   * letter.
   */
  subscribe(options: SubscribeOptions, handle: MessageHandler): Promise<Subscription>
}
