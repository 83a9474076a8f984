import {
  type EventId,
  type IsoDateTime,
  newId,
  type RequestId,
  type TenantId,
} from '@melmastoon/domain'
import type { Static } from 'typebox'
import { checkDefinitions } from './check-definitions.ts'
import { contractHash, markChecked } from './contract-hash.ts'
import type { EventDefinition } from './definition.ts'
import type { EventEnvelope, EventMessage, MarketingAttribution } from './envelope.ts'
import { checkEventText } from './event-text.ts'
import { rejectEvent, schemaError } from './reject-event.ts'
import { isSampled, overriddenRate } from './sampling.ts'
import { schemaUriOf } from './subject.ts'
import { validators } from './validators.ts'

/** The origin of an event. A job without a request creates one request id for its run. */
export interface EventContext {
  readonly producerInstance: string
  readonly tenantId: TenantId | null
  readonly requestId: RequestId
  /** W3C `traceparent` of the cause. */
  readonly traceparent: string
  readonly occurredAt: Date
  readonly userId?: string | null
  readonly sessionId?: string | null
  readonly causationId?: EventId | null
  readonly correlationId?: string
  /**
   * The rate in force when the event was sampled; that of the definition unless a flag changed it.
   */
  readonly samplingRate?: number
  readonly marketingAttribution?: MarketingAttribution | null
  /** Set by the back office only (D30). */
  readonly staff?: StaffContext
}

export type StaffContext = Pick<
  EventEnvelope,
  'operatorId' | 'deviceId' | 'propertyId' | 'appVersion' | 'appPlatform'
>

/** What the outbox stores in the transaction of the effect. */
export interface OutboxEvent<P = unknown> extends EventMessage<P> {
  readonly eventId: EventId
  readonly subject: string
  readonly tenantId: TenantId | null
  readonly orderingKey: string
  readonly occurredAt: IsoDateTime
}

type PayloadOf<D extends EventDefinition, S extends string> = Static<
  Extract<D, { subject: S }>['payload']
>

export interface EventRegistry<D extends EventDefinition = EventDefinition> {
  readonly definitions: readonly D[]
  get(subject: string): EventDefinition | undefined
  /** @throws Problem EVENT_REFUSED when the event breaks its contract (OBX-22). */
  build<S extends D['subject']>(
    subject: S,
    payload: PayloadOf<D, S>,
    context: EventContext,
  ): OutboxEvent<PayloadOf<D, S>>
  /** For received messages; unknown fields are tolerated. @throws Problem EVENT_REFUSED */
  validate(message: unknown): EventMessage
  /** Identifies the contract of the subject; undefined for an unknown one. */
  contractOf(subject: string): string | undefined
  /** Whether the event of this key is in the sample, given the rates of the flags. */
  sampled(subject: D['subject'], rates: Readonly<Record<string, unknown>>, key: string): boolean
  sampleRate(subject: D['subject'], rates: Readonly<Record<string, unknown>>): number
}

export function createRegistry<const D extends EventDefinition>(
  definitions: readonly D[],
): EventRegistry<D> {
  checkDefinitions(definitions)
  return new Registry<D>(definitions)
}

class Registry<D extends EventDefinition> implements EventRegistry<D> {
  readonly definitions: readonly D[]
  readonly #entries: ReadonlyMap<string, { definition: EventDefinition; schemaUri: string }>

  constructor(definitions: readonly D[]) {
    this.definitions = definitions
    this.#entries = new Map(
      definitions.map((definition) => [
        definition.subject,
        { definition, schemaUri: schemaUriOf(definition.subject) },
      ]),
    )
    for (const definition of definitions) validators.strict(definition)
  }

  get(subject: string): EventDefinition | undefined {
    return this.#entries.get(subject)?.definition
  }

  build<S extends D['subject']>(subject: S, payload: PayloadOf<D, S>, context: EventContext) {
    const { definition, schemaUri } = this.#entry(subject)
    const envelope = buildEnvelope(definition, schemaUri, context)
    const message = { envelope, payload }
    const validate = validators.strict(definition)
    if (!validate(message)) throw rejectEvent(subject, schemaError(validate.errors))
    const textError = checkEventText(JSON.stringify(message))
    if (textError !== null) throw rejectEvent(subject, textError)
    const event = {
      eventId: envelope.eventId,
      subject,
      tenantId: context.tenantId,
      orderingKey: definition.orderingKey(payload),
      occurredAt: envelope.occurredAt,
      envelope,
      payload,
    }
    markChecked(event, definition)
    return event
  }

  validate(message: unknown): EventMessage {
    const subject = subjectOf(message)
    const entry = subject === null ? undefined : this.#entries.get(subject)
    if (entry === undefined) {
      const detail = 'is not a subject of this registry'
      throw rejectEvent('(unknown)', { pointer: '/envelope/subject', code: 'unknown', detail })
    }
    const validate = validators.tolerant(entry.definition)
    if (!validate(message))
      throw rejectEvent(entry.definition.subject, schemaError(validate.errors))
    return message as EventMessage
  }

  contractOf(subject: string): string | undefined {
    const entry = this.#entries.get(subject)
    return entry === undefined ? undefined : contractHash(entry.definition)
  }

  sampled(subject: D['subject'], rates: Readonly<Record<string, unknown>>, key: string): boolean {
    return isSampled(this.sampleRate(subject, rates), subject, key)
  }

  sampleRate(subject: D['subject'], rates: Readonly<Record<string, unknown>>): number {
    const { definition } = this.#entry(subject)
    // Audit and regulated events are legal records: no flag may sample them (D13).
    if (definition.retentionClass !== 'operational') return definition.sampleRate
    const override = Object.hasOwn(rates, subject) ? rates[subject] : undefined
    return overriddenRate(definition.sampleRate, override)
  }

  #entry(subject: string) {
    const entry = this.#entries.get(subject)
    if (entry === undefined) throw new TypeError(`no event ${subject} in this registry`)
    return entry
  }
}

function buildEnvelope(
  definition: EventDefinition,
  schemaUri: string,
  context: EventContext,
): EventEnvelope {
  return {
    eventId: newId('evt'),
    subject: definition.subject,
    version: definition.version,
    occurredAt: context.occurredAt.toISOString() as IsoDateTime,
    publishedAt: null,
    producer: definition.producer,
    producerInstance: context.producerInstance,
    tenantId: context.tenantId,
    userId: context.userId ?? null,
    sessionId: context.sessionId ?? null,
    requestId: context.requestId,
    traceId: context.traceparent,
    causationId: context.causationId ?? null,
    correlationId: context.correlationId ?? context.requestId,
    schemaUri,
    retentionClass: definition.retentionClass,
    samplingRate: context.samplingRate ?? definition.sampleRate,
    marketingAttribution: context.marketingAttribution ?? null,
    ...context.staff,
  }
}

function subjectOf(message: unknown): string | null {
  if (typeof message !== 'object' || message === null) return null
  const envelope: unknown = (message as Record<string, unknown>)['envelope']
  if (typeof envelope !== 'object' || envelope === null) return null
  const subject: unknown = (envelope as Record<string, unknown>)['subject']
  return typeof subject === 'string' ? subject : null
}
