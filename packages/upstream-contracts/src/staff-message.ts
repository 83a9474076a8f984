import { type Static, Type } from 'typebox'

const SEVERITIES = ['info', 'warning', 'critical'] as const

export const Severity = Type.Enum([...SEVERITIES])
export type Severity = Static<typeof Severity>

/**
 * A text that the client translates: a key, and ids, numbers and dates to insert. Never names or
 * other personal data.
 */
export const Message = Type.Object({
  key: Type.String({ pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){1,5}$', maxLength: 120 }),
  params: Type.Record(
    Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' }),
    Type.Union([Type.String({ pattern: '^[\\w:.+-]{1,80}$' }), Type.Number()]),
    { maxProperties: 12 },
  ),
})
export type Message = Static<typeof Message>

export const RESOURCE_KINDS = [
  'reservation',
  'room',
  'room_type',
  'task',
  'work_order',
  'folio',
  'key',
  'device',
  'operator',
  'property',
  'rate_plan',
] as const

export type ResourceKind = (typeof RESOURCE_KINDS)[number]
export const ResourceKind = Type.Enum([...RESOURCE_KINDS])

/** What an alert or a suggestion is about. */
export const ResourceRef = {
  resourceKind: ResourceKind,
  resourceId: Type.String({ pattern: '^[a-z_]{2,12}_[0-9A-HJKMNP-TV-Z]{26}$' }),
}
