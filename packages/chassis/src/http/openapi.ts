import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type AddressLimit, addressLimitHook } from './address-limits.ts'
import { isIdempotentHandler } from './idempotency/idempotent-route.ts'
import { PROBLEM_SCHEMA } from './problem-schema.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document only: headers that a hook or the handler reads, by name. */
    documentedHeaders?: Readonly<Record<string, object>>
  }
}

/** What the document says of an operation beside its schemas. */
export interface OperationNotes {
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
}

export interface OpenApiOptions {
  title: string
  version: string
  description?: string
  /** By the operation's name; a route may as well say so in its own schema. */
  operations?: Readonly<Record<string, OperationNotes>>
}

const PROBLEM_RESPONSE = {
  description: 'Problem (RFC 9457)',
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
}

/** For the document only: the key is checked where its own problems have codes (D8). */
const IDEMPOTENCY_HEADER = {
  'idempotency-key': {
    type: 'string',
    minLength: 16,
    maxLength: 255,
    description: 'Chosen by the caller, the same for every attempt of one request.',
  },
}

/** Documents every route from its own schemas (P14) and shows the result at `/docs`. */
export async function registerOpenApi(
  app: FastifyInstance,
  options: OpenApiOptions,
  limit: AddressLimit,
): Promise<void> {
  const { title, version, description = '', operations = {} } = options
  app.addSchema(PROBLEM_SCHEMA)
  await app.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title, version, description } },
    refResolver: { buildLocalReference: (...[json, , , index]) => nameOf(json, index) },
    transform: ({ schema, url, route }) => ({
      url,
      schema: documented(schema ?? {}, route, operations),
    }),
  })
  await app.register(async (docs) => {
    docs.addHook('onRequest', addressLimitHook(limit))
    await docs.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: true })
  })
}

function nameOf(json: { $id?: unknown }, index: number): string {
  return typeof json.$id === 'string' ? json.$id : `def-${index}`
}

function documented(
  schema: FastifySchema,
  { config, handler }: RouteOptions,
  operations: Readonly<Record<string, OperationNotes>>,
): FastifySchema {
  const response = { ...(schema.response as object), default: PROBLEM_RESPONSE }
  const operation = config?.operation
  const names = operation === undefined ? {} : { operationId: operation, 'x-operation': operation }
  const notes = operation === undefined ? {} : operations[operation]
  const headers = headersOf(config?.documentedHeaders ?? {}, isIdempotentHandler(handler))
  return { ...names, ...notes, ...headers, ...schema, response } as FastifySchema
}

function headersOf(documentedHeaders: Readonly<Record<string, object>>, needsKey: boolean) {
  const properties = { ...(needsKey && IDEMPOTENCY_HEADER), ...documentedHeaders }
  if (Object.keys(properties).length === 0) return {}
  const required = needsKey ? Object.keys(IDEMPOTENCY_HEADER) : []
  return { headers: { type: 'object', required, properties } }
}

/** The same bytes for the same routes, whatever the order of registration: fit for committing. */
export async function renderOpenApi(app: FastifyInstance): Promise<string> {
  await app.ready()
  return `${JSON.stringify(sortKeys(app.swagger()), null, 2)}\n`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortKeys(inner)]))
}
