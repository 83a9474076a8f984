import type { EventId, IsoDateTime, TenantId } from '@melmastoon/domain'
import { idPattern } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { SUBJECT_PATTERN } from './subject.ts'

/** How long a record is retained and who may delete it; the days are a property of the event. */
export const RETENTION_CLASSES = ['operational', 'audit', 'regulated'] as const
export type RetentionClass = (typeof RETENTION_CLASSES)[number]

/** UTM values are cut to this length on input; longer ones are not campaign names. */
const ATTRIBUTION_MAX_CHARS = 200
const REFERENCE_MAX_CHARS = 128

const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const reference = () => Type.String({ minLength: 1, maxLength: REFERENCE_MAX_CHARS })
const attribution = () => Type.Optional(Type.String({ maxLength: ATTRIBUTION_MAX_CHARS }))
const instant = () => Type.String({ format: 'date-time', maxLength: 35 })

export const MarketingAttribution = Type.Object(
  { source: attribution(), medium: attribution(), campaign: attribution() },
  { additionalProperties: false },
)
export type MarketingAttribution = Static<typeof MarketingAttribution>

/** The operator and device that caused an event; set by the back office only (D30). */
const staff = {
  operatorId: Type.Optional(Type.String({ pattern: idPattern('opr') })),
  deviceId: Type.Optional(Type.String({ pattern: idPattern('dev') })),
  propertyId: Type.Optional(Type.String({ pattern: idPattern('ppt') })),
  appVersion: Type.Optional(Type.String({ maxLength: 40 })),
  appPlatform: Type.Optional(Type.String({ maxLength: 20 })),
}

/** The fields of the event schemas document §2, and those of the back office. */
export const EventEnvelope = Type.Object(
  {
    eventId: Type.Unsafe<EventId>(Type.String({ pattern: idPattern('evt') })),
    subject: Type.String({ pattern: SUBJECT_PATTERN, maxLength: 160 }),
    version: Type.Integer({ minimum: 1 }),
    occurredAt: Type.Unsafe<IsoDateTime>(instant()),
    /** Null until the relay hands the event to the broker (D12). */
    publishedAt: nullable(Type.Unsafe<IsoDateTime>(instant())),
    producer: Type.String({ pattern: '^[a-z][a-z0-9-]{1,62}$' }),
    producerInstance: reference(),
    /** Null for the consumer service, which belongs to no tenant. */
    tenantId: nullable(Type.Unsafe<TenantId>(Type.String({ pattern: idPattern('tnt') }))),
    userId: nullable(reference()),
    sessionId: nullable(reference()),
    requestId: Type.String({ pattern: idPattern('req') }),
    /** The W3C `traceparent` of the cause (D12). */
    traceId: Type.String({ pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' }),
    causationId: nullable(Type.Unsafe<EventId>(Type.String({ pattern: idPattern('evt') }))),
    correlationId: reference(),
    schemaUri: Type.String({ pattern: '^https://[!-~]{1,230}$' }),
    retentionClass: Type.Union(RETENTION_CLASSES.map((name) => Type.Literal(name))),
    samplingRate: Type.Number({ minimum: 0, maximum: 1 }),
    marketingAttribution: nullable(MarketingAttribution),
    ...staff,
  },
  { additionalProperties: false },
)
export type EventEnvelope = Omit<Static<typeof EventEnvelope>, 'retentionClass'> & {
  retentionClass: RetentionClass
}

/** The message body of every transport is the JSON of this. */
export interface EventMessage<P = unknown> {
  readonly envelope: EventEnvelope
  readonly payload: P
}
