import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { ProblemCode } from '@melmastoon/domain'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type Static, Type } from 'typebox'
import { type AddressLimit, addressLimitHook } from './address-limits.ts'
import { KEY_PROBLEMS, PROBLEM_RESPONSE, problemResponses } from './document-problems.ts'
import { isIdempotentHandler } from './idempotency/idempotent-route.ts'
import { hoistNamedSchemas } from './name-schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document only: headers that a hook or the handler reads, by name. */
    documentedHeaders?: Readonly<Record<string, object>>
  }
}

/** The texts of an operation; its schemas come from the route. */
export interface OperationNotes {
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
}

export interface OpenApiOptions {
  title: string
  version: string
  description?: string
  /** By the name of the operation; texts in the schema of a route take precedence. */
  operations?: Readonly<Record<string, OperationNotes>>
}

/** The RFC 9457 document with the members that every service adds (P2). */
export const PROBLEM_SCHEMA = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String(),
    code: Type.String({ pattern: '^MELMASTOON\\.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() }),
      ),
    ),
    requestId: Type.String(),
    traceId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    retriable: Type.Boolean(),
    retryAfter: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    userMessageKey: Type.String(),
  },
  { $id: 'Problem', additionalProperties: true },
)

export type ProblemBody = Static<typeof PROBLEM_SCHEMA>

/** For the document only: the key is validated where its errors have their own codes (D8). */
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
    transformObject: (document) =>
      'openapiObject' in document
        ? hoistNamedSchemas(document.openapiObject)
        : document.swaggerObject,
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
  const needsKey = isIdempotentHandler(handler)
  const response = {
    ...problemsOf(config?.problems, needsKey),
    ...(schema.response as object),
    default: PROBLEM_RESPONSE,
  }
  const operation = config?.operation
  const names = operation === undefined ? {} : { operationId: operation, 'x-operation': operation }
  const notes = operation === undefined ? {} : operations[operation]
  const headers = headersOf(config?.documentedHeaders ?? {}, needsKey)
  return { ...names, ...notes, ...headers, ...schema, response } as FastifySchema
}

/** Only where a service lists the problems of its routes. */
function problemsOf(codes: readonly ProblemCode[] | undefined, needsKey: boolean) {
  return codes === undefined ? {} : problemResponses([...codes, ...(needsKey ? KEY_PROBLEMS : [])])
}

function headersOf(documentedHeaders: Readonly<Record<string, object>>, needsKey: boolean) {
  const properties = { ...(needsKey && IDEMPOTENCY_HEADER), ...documentedHeaders }
  if (Object.keys(properties).length === 0) return {}
  const required = needsKey ? Object.keys(IDEMPOTENCY_HEADER) : []
  return { headers: { type: 'object', required, properties } }
}

/** The same bytes for the same routes in any order of registration, so that it can be committed. */
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
