import type { EventDefinition } from './definition.ts'
import { EventEnvelope } from './envelope.ts'
import type { EventRegistry } from './registry.ts'
import { schemaUriOf } from './subject.ts'

export interface AsyncApiInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
}

/** AsyncAPI 3 document of everything the registry's producers send. */
export function toAsyncApi(registry: EventRegistry, info: AsyncApiInfo): Record<string, unknown> {
  const { definitions } = registry
  const collect = (entry: (definition: EventDefinition) => unknown) =>
    Object.fromEntries(definitions.map((item) => [keyOf(item), entry(item)]))
  return {
    asyncapi: '3.0.0',
    info,
    defaultContentType: 'application/json',
    channels: collect(channelOf),
    operations: Object.fromEntries(
      definitions.map((item) => [`send-${keyOf(item)}`, operationOf(item)]),
    ),
    components: {
      messages: collect(messageOf),
      schemas: {
        envelope: plain(EventEnvelope),
        ...collect((item) => ({ ...plain(item.payload), $id: schemaUriOf(item.subject) })),
      },
    },
  }
}

function channelOf(definition: EventDefinition) {
  const key = keyOf(definition)
  return {
    address: definition.subject,
    messages: { [key]: { $ref: `#/components/messages/${key}` } },
  }
}

function operationOf(definition: EventDefinition) {
  const key = keyOf(definition)
  return {
    action: 'send',
    channel: { $ref: `#/channels/${key}` },
    messages: [{ $ref: `#/channels/${key}/messages/${key}` }],
  }
}

function messageOf(definition: EventDefinition) {
  return {
    name: definition.subject,
    contentType: 'application/json',
    payload: {
      type: 'object',
      required: ['envelope', 'payload'],
      properties: {
        envelope: { $ref: '#/components/schemas/envelope' },
        payload: { $ref: `#/components/schemas/${keyOf(definition)}` },
      },
    },
    'x-producer': definition.producer,
    'x-retention-class': definition.retentionClass,
    'x-retention-days': definition.retentionDays,
    'x-sample-rate': definition.sampleRate,
    ...(definition.debounceSeconds !== undefined && {
      'x-debounce-seconds': definition.debounceSeconds,
    }),
  }
}

/** Component names may hold only letters, digits, dots, dashes and underscores. */
function keyOf(definition: EventDefinition): string {
  return definition.subject.replace(/^melmastoon\./, '').replaceAll('.', '-')
}

function plain(schema: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>
}
