import type { FastifySchema } from 'fastify'

/** What a caller sends and receives, as values that the schemas of the route accept. */
export interface OperationExamples {
  readonly body?: unknown
  /** Of the path, the query and headers, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** By status; those of problems are generated. */
  readonly responses?: Readonly<Record<number, unknown>>
  /** By media type, where a response has several. */
  readonly media?: Readonly<Record<string, unknown>>
}

type Json = Record<string, unknown>

const PARAMETERS = ['params', 'querystring', 'headers'] as const

/** For the document only: two operations with one schema have their own examples. */
export function withExamples(
  schema: FastifySchema,
  { body, parameters = {}, responses = {}, media = {} }: OperationExamples,
): FastifySchema {
  const parts = PARAMETERS.filter((part) => schema[part] !== undefined)
  return {
    ...schema,
    ...(body !== undefined && { body: exampleOf(schema.body as Json, body) }),
    ...Object.fromEntries(parts.map((part) => [part, exampleParts(schema[part], parameters)])),
    response: withMedia(eachExample(schema.response as Json, responses, responseExample), media),
  }
}

function exampleParts(part: unknown, values: Readonly<Record<string, unknown>>): Json {
  const { properties, ...rest } = part as Json
  return { ...rest, properties: eachExample(properties as Json, values, exampleOf) }
}

function eachExample(
  schemas: Json,
  values: Readonly<Record<string, unknown>>,
  add: (schema: Json, value: unknown) => Json,
): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const value = values[name]
      return [name, value === undefined ? schema : add(schema as Json, value)]
    }),
  )
}

function exampleOf(schema: Json, value: unknown): Json {
  return { ...schema, examples: [value] }
}

/** A response has a schema, or schemas by media type. */
function responseExample(response: Json, value: unknown): Json {
  const { content } = response
  if (content === undefined) return exampleOf(response, value)
  const media = Object.entries(content as Record<string, Json>)
  const withExample = media.map(([type, { schema }]) => [type, { schema, example: value }])
  return { ...response, content: Object.fromEntries(withExample) }
}

function withMedia(responses: Json, examples: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content } = response as { content?: Record<string, Json> }
      if (content === undefined) return [status, response]
      const media = Object.entries(content).map(([type, each]) => {
        const example = examples[type]
        return [type, example === undefined ? each : { ...each, example }]
      })
      return [status, { ...(response as Json), content: Object.fromEntries(media) }]
    }),
  )
}

interface DocumentedOperation {
  readonly operationId?: string
  readonly responses?: Readonly<Record<string, { readonly content?: Record<string, Json> }>>
}

/**
 * The generator of the document takes a member named `properties` for a schema, also in examples:
 * those of responses in one media type are set once more.
 */
export function restoreExamples<D extends object>(
  document: D,
  examples: (operation: string) => OperationExamples | undefined,
): D {
  const { paths = {} } = document as { paths?: Record<string, Record<string, DocumentedOperation>> }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  for (const { operationId = '', responses = {} } of operations) {
    for (const [status, example] of Object.entries(examples(operationId)?.responses ?? {})) {
      const { content = {} } = responses[status] ?? {}
      for (const media of Object.values(content)) media['example'] = example
    }
  }
  return document
}
