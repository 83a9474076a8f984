import { isProblem } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import {
  DeliveryPostponed,
  type InboundMessage,
  PoisonMessage,
  redactReason,
  type Subscription,
} from '../bus/index.ts'
import type { Tx } from '../db/index.ts'
import { crashPoint } from '../lifecycle/index.ts'
import { parseTraceparent } from '../telemetry/index.ts'
import type { ConsumerOptions, EventHandler } from './consumer-options.ts'
import { readEvent } from './read-event.ts'
import { beginMessage, type InboxKey } from './sql/begin-message.ts'
import { recordFailure } from './sql/record-failure.ts'

const ATTEMPTS_MAX = 10

export interface Consumer extends AsyncDisposable {
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Turns deliveries, which may repeat, into effects, which do not (P5): the record that an event was
 * seen and its effect commit together, and only then the broker hears about it. Dedupe is by our
 * event id (D12).
 */
export function createConsumer(options: ConsumerOptions): Consumer {
  return new InboxConsumer(options)
}

class InboxConsumer implements Consumer {
  readonly #options: ConsumerOptions
  #subscription: Subscription | undefined

  constructor(options: ConsumerOptions) {
    this.#options = options
    for (const target of Object.values(options.aliases ?? {})) {
      if (!Object.hasOwn(options.handlers, target)) throw new TypeError(`no handler for ${target}`)
    }
  }

  async start(): Promise<void> {
    const { bus, subscription, handlers, aliases = {}, maxInFlight, ackDeadlineMs } = this.#options
    const { backoff, drainMs, onError } = this.#options
    this.#subscription ??= await bus.subscribe(
      {
        subscription,
        subjects: [...Object.keys(handlers), ...Object.keys(aliases)],
        // The inbox counts failures; this count only ends a message that kills the process each
        // time.
        maxDeliveries: this.#maxAttempts * 2,
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
    const { subject } = message
    // The broker's id names only what has no id of ours; each stream counts for itself.
    let key: InboxKey = { messageId: `broker:${subject}/${message.brokerId}`, subject }
    try {
      const { event, handler } = readEvent(this.#options, message)
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
      await handler.handle(tx, event)
      crashPoint('inbox.after_effect')
      return true
    })
    if (isFirst) metrics?.onProcessed?.(key.subject)
    else metrics?.onDuplicate?.(key.subject)
  }

  /** What the bus should make of a failure. Our own database being away is nobody's fault. */
  async #failed(key: InboxKey, error: unknown): Promise<Error> {
    if (error instanceof DeliveryPostponed) return error
    if (isUnavailable(error)) return new DeliveryPostponed('the database is away', { cause: error })
    const isPoison = error instanceof PoisonMessage
    const reason = error instanceof Error ? error.message : 'unknown failure'
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

/** The event is committed: whatever fails now is tried again and never makes it dead. */
async function afterCommit(event: EventMessage, handler: EventHandler): Promise<void> {
  try {
    await handler.onCommitted?.(event)
  } catch (error) {
    throw new DeliveryPostponed('an effect after the commit failed', { cause: error })
  }
}

function isUnavailable(error: unknown): boolean {
  return isProblem(error) && error.code === 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'
}
