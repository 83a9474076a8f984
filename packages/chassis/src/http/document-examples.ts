import type { FastifySchema } from 'fastify'

/** What a caller sends and receives, as values that the schemas of the route accept. */
export interface OperationExamples {
  readonly body?: unknown
  /** Of the path, the query and headers, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** By status; those of problems are generated. */
  readonly responses?: Readonly<Record<number, unknown>>
}

type Json = Record<string, unknown>

const PARAMETERS = ['params', 'querystring', 'headers'] as const

/** For the document only: two operations with one schema have their own examples. */
export function withExamples(
  schema: FastifySchema,
  { body, parameters = {}, responses = {} }: OperationExamples,
): FastifySchema {
  const parts = PARAMETERS.filter((part) => schema[part] !== undefined)
  return {
    ...schema,
    ...(body !== undefined && { body: exampleOf(schema.body as Json, body) }),
    ...Object.fromEntries(parts.map((part) => [part, exampleParts(schema[part], parameters)])),
    response: eachExample(schema.response as Json, responses, responseExample),
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
