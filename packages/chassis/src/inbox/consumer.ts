import { isProblem } from '@melmastoon/domain'
import { createRegistry, type EventMessage, type EventRegistry } from '@melmastoon/events'
import {
  DeliveryPostponed,
  type InboundMessage,
  PoisonMessage,
  redactReason,
  type Subscription,
} from '../bus/index.ts'
import type { Tx } from '../db/index.ts'
import { crashPoint } from '../lifecycle/index.ts'
import { isDependencyFailure, parseTraceparent } from '../telemetry/index.ts'
import type { ConsumerOptions } from './consumer-options.ts'
import type { EventHandler } from './event-handler.ts'
import { beginMessage, type InboxKey, recordFailure } from './inbox-sql.ts'
import { readEvent } from './read-event.ts'

const ATTEMPTS_MAX = 10

export interface Consumer extends AsyncDisposable {
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Makes repeated deliveries idempotent (P5): the record that an event was processed and its effect
 * commit together, and only then the event is acknowledged. Duplicates are recognised by the event
 * id of the envelope (D12). Handlers without database work bypass the inbox.
 */
export function createConsumer(options: ConsumerOptions): Consumer {
  return new InboxConsumer(options)
}

class InboxConsumer implements Consumer {
  readonly #options: ConsumerOptions
  readonly #handlers: ReadonlyMap<string, EventHandler>
  readonly #registry: EventRegistry
  #subscription: Subscription | undefined

  constructor(options: ConsumerOptions) {
    this.#options = options
    this.#handlers = handlersBySubject(options.handlers)
    this.#registry = createRegistry(options.handlers.flatMap(({ definitions }) => definitions))
  }

  async start(): Promise<void> {
    const { bus, subscription, deadLetterName, maxInFlight, ackDeadlineMs } = this.#options
    const { backoff, drainMs, onError } = this.#options
    this.#subscription ??= await bus.subscribe(
      {
        subscription,
        subjects: [...this.#handlers.keys()],
        // The inbox counts failures; this count only ends a message that kills the process each
        // time.
        maxDeliveries: this.#maxAttempts * 2,
        ...(deadLetterName !== undefined && { deadLetterName }),
        ...(maxInFlight !== undefined && { maxInFlight }),
        ...(ackDeadlineMs !== undefined && { ackDeadlineMs }),
        ...(drainMs !== undefined && { drainMs }),
        ...(backoff !== undefined && { backoff }),
        onError,
        onDead: (message, reason) => this.#options.metrics?.onDead?.(message.subject, reason),
      },
      (message) => this.#receive(message),
    )
  }

  async stop(): Promise<void> {
    await this.#subscription?.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get #maxAttempts(): number {
    return this.#options.maxAttempts ?? ATTEMPTS_MAX
  }

  async #receive(message: InboundMessage): Promise<void> {
    const handler = this.#handlers.get(message.subject)
    if (handler === undefined) throw new PoisonMessage('no handler for the subject')
    if (handler.handle === undefined) await this.#receiveWithoutInbox(message, handler)
    else await this.#receiveWithInbox(message, handler)
  }

  async #receiveWithInbox(message: InboundMessage, handler: EventHandler): Promise<void> {
    const { subject } = message
    // The broker's id is used only for a message without an event id; it is unique per stream.
    let key: InboxKey = { messageId: `broker:${subject}/${message.brokerId}`, subject }
    try {
      const event = readEvent(this.#registry, message, handler)
      key = { messageId: event.envelope.eventId, subject }
      await this.#traced(event, async () => {
        await this.#process(key, event, handler)
        crashPoint('inbox.after_commit')
        await afterCommit(event, handler)
      })
    } catch (error) {
      throw await this.#failed(key, error)
    }
  }

  /**
   * Attempts are the broker's deliveries, because nothing is stored here. An unavailable dependency
   * costs no attempt: the message stays until it is processed.
   */
  async #receiveWithoutInbox(message: InboundMessage, handler: EventHandler): Promise<void> {
    const event = readEvent(this.#registry, message, handler)
    try {
      await this.#traced(event, () => handler.afterCommit(event))
    } catch (error) {
      if (error instanceof DeliveryPostponed || error instanceof PoisonMessage) throw error
      if (isOutage(error)) {
        throw new DeliveryPostponed('a dependency is unavailable', { cause: error })
      }
      if (message.deliveryCount < this.#maxAttempts) throw error
      throw new PoisonMessage(redactReason(messageOf(error)), { cause: error })
    }
    this.#options.metrics?.onProcessed?.(message.subject)
  }

  /** Continues the trace of the request that caused the event, however much later this is (D12). */
  async #traced(event: EventMessage, work: () => Promise<void>): Promise<void> {
    const { tracer } = this.#options
    const parent = parseTraceparent(event.envelope.traceId)
    if (tracer === undefined || parent === null) return work()
    const { subject, eventId } = event.envelope
    using span = tracer.startSpan(`process ${subject}`, parent, {
      role: 'consumer',
      attributes: { 'messaging.destination.name': subject, 'messaging.message.id': eventId },
    })
    try {
      await work()
    } catch (error) {
      span.fail(isProblem(error) ? error.code : 'handler')
      throw error
    }
  }

  async #process(key: InboxKey, event: EventMessage, handler: EventHandler): Promise<void> {
    const { db, metrics } = this.#options
    const tenantId = handler.scope === 'tenant' ? event.envelope.tenantId : null
    const isFirst = await db.scoped(tenantId).transaction(async (tx: Tx) => {
      const began = await tx.query(beginMessage(key))
      if (began.length === 0) return false
      crashPoint('inbox.before_effect')
      await handler.handle?.(tx, event)
      crashPoint('inbox.after_effect')
      return true
    })
    if (isFirst) metrics?.onProcessed?.(key.subject)
    else metrics?.onDuplicate?.(key.subject)
  }

  /** What the bus does about a failure. An unavailable database costs the message no attempt. */
  async #failed(key: InboxKey, error: unknown): Promise<Error> {
    if (error instanceof DeliveryPostponed) return error
    if (isUnavailable(error)) {
      return new DeliveryPostponed('the database is unavailable', { cause: error })
    }
    const isPoison = error instanceof PoisonMessage
    const reason = messageOf(error)
    const maxAttempts = isPoison ? 1 : this.#maxAttempts
    const failure = { ...key, error: redactReason(reason), maxAttempts }
    try {
      const [row] = await this.#options.db.query(recordFailure(failure))
      if (row?.dead && !isPoison) return new PoisonMessage(reason, { cause: error })
    } catch (recordError) {
      return new DeliveryPostponed('the failure could not be recorded', { cause: recordError })
    }
    return error instanceof Error ? error : new Error(reason, { cause: error })
  }
}

/** @throws TypeError when two handlers name one subject: they could not fail separately. */
function handlersBySubject(handlers: readonly EventHandler[]): ReadonlyMap<string, EventHandler> {
  const bySubject = new Map<string, EventHandler>()
  for (const handler of handlers) {
    for (const { subject } of handler.definitions) {
      if (bySubject.has(subject)) throw new TypeError(`two handlers for ${subject}`)
      bySubject.set(subject, handler)
    }
  }
  return bySubject
}

/** The event is committed: from here on, failures are retried and never dead-letter it. */
async function afterCommit(event: EventMessage, handler: EventHandler): Promise<void> {
  try {
    await handler.afterCommit(event)
  } catch (error) {
    throw new DeliveryPostponed('an effect after the commit failed', { cause: error })
  }
}

/** A rejection (4xx) stays one however often it is repeated: it costs an attempt. */
function isOutage(error: unknown): boolean {
  return isDependencyFailure(error) && !(isProblem(error) && error.status < 500)
}

function isUnavailable(error: unknown): boolean {
  return isProblem(error) && error.code === 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown failure'
}
