import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { ProblemCode } from '@melmastoon/domain'
import type { FastifyContextConfig, FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { systemClock } from '../clock/index.ts'
import { type AddressLimit, addressLimitHook } from './address-limits.ts'
import { DOCS_ICON, DOCS_LOGO } from './docs-theme.ts'
import { type OperationExamples, restoreExamples, withExamples } from './document-examples.ts'
import { type ResponseHeader, withCommonHeaders, withResponseHeaders } from './document-headers.ts'
import {
  GENERAL_RESPONSE,
  KEY_PROBLEMS,
  PROBLEM_RESPONSE,
  PROBLEM_SCHEMA,
  type ProblemMembers,
  problemResponses,
} from './document-problems.ts'
import {
  createSchemaDescriber,
  type SchemaDescriber,
  type SchemaNotes,
} from './document-schemas.ts'
import { isIdempotentHandler } from './idempotency/idempotent-route.ts'
import { moveExamples } from './move-examples.ts'
import { hoistNamedSchemas } from './name-schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document only: headers that a hook or the handler reads, by name. */
    documentedHeaders?: Readonly<Record<string, object>>
    /** For the document only: the body of a route that validates it by itself. */
    documentedBody?: object
    /** For the document only: it responds with 304 to `If-None-Match`. */
    revalidates?: boolean
    /** For the document only: the session makes a difference, but is not required. */
    readsSession?: boolean
  }
}

/** The texts of an operation; its schemas come from the route. */
export interface OperationNotes {
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly examples?: OperationExamples
}

export interface OpenApiOptions {
  title: string
  version: string
  description?: string
  /** Where the service is reached. */
  servers?: readonly { readonly url: string; readonly description: string }[]
  /** Headers that the service sends with every response of an operation with this status. */
  commonHeaders?: (operation: string, status: string) => readonly ResponseHeader[]
  /** Members of problems beyond the standard ones. */
  problemMembers?: ProblemMembers
  /** By the name of the operation; texts in the schema of a route take precedence. */
  operations?: Readonly<Record<string, OperationNotes>>
  /**
   * The day of arrival in the examples. In the document that is served it is a month ahead, and the
   * other dates of its month move with it, so that examples can be sent at any time.
   */
  exampleArrival?: string
  /** Names and texts of the schemas of the routes. */
  schemas?: SchemaNotes
  /** The cookie that operations need which reject without a valid session. */
  sessionCookie?: { readonly name: string; readonly description: string }
  /** How callers authenticate in other ways, and what an operation requires, all of it. */
  security?: {
    readonly schemes: Readonly<Record<string, SecurityScheme>>
    readonly of: (operation: string) => readonly string[]
  }
}

/** A keyword of `@fastify/swagger`, which removes it from the schema. */
const RESPONSE_TEXT = 'x-response-description'

type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string; readonly description: string }
  | {
      readonly type: 'apiKey'
      readonly in: 'header'
      readonly name: string
      readonly description: string
    }

/** Of responses whose schema has no description. */
const RESPONSE_TEXTS: Readonly<Record<string, object>> = {
  200: { [RESPONSE_TEXT]: 'The request succeeded' },
  201: { [RESPONSE_TEXT]: 'Done, or created' },
  202: { [RESPONSE_TEXT]: 'Accepted; the outcome is not known yet' },
}

const NO_NOTES: SchemaNotes = { schemas: {}, terms: {} }

const NOT_MODIFIED = {
  type: 'null',
  description: 'As in the response with the entity tag of `If-None-Match`',
}

/** For the document only: revalidation is handled for all routes that support it. */
const CONDITION_HEADER = {
  'if-none-match': {
    type: 'string',
    description: 'The `ETag` of a stored response: 304 if it is still valid.',
  },
}

/** For the document only: the key is validated where its errors have their own codes (D8). */
const IDEMPOTENCY_HEADER = {
  'idempotency-key': {
    type: 'string',
    minLength: 16,
    maxLength: 255,
    description: 'Chosen by the caller: new for every request, the same for all of its attempts.',
    examples: ['0198c5b2-7a1e-7c3d-9f40-5e6d7c8b9a01'],
  },
}

/** Documents every route from its own schemas (P14) and shows the result at `/docs`. */
export async function registerOpenApi(
  app: FastifyInstance,
  options: OpenApiOptions,
  limit: AddressLimit,
): Promise<void> {
  const { title, version, description = '', servers, sessionCookie, security } = options
  const securitySchemes = sessionCookie
    ? { session: { type: 'apiKey', in: 'cookie', ...sessionCookie } as const }
    : security?.schemes
  const { exampleArrival } = options
  const describe = createSchemaDescriber(options.schemas ?? NO_NOTES)
  app.addSchema(PROBLEM_SCHEMA)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description },
      ...(servers && { servers: [...servers] }),
      ...(securitySchemes && { components: { securitySchemes } }),
    },
    refResolver: { buildLocalReference: (...[json, , , index]) => nameOf(json, index) },
    transform: ({ schema, url, route }) => ({
      url,
      schema: documented(schema ?? {}, route, { ...options, describe }),
    }),
    transformObject: (document) =>
      'openapiObject' in document
        ? restoreExamples(
            hoistNamedSchemas(document.openapiObject),
            (operation) => options.operations?.[operation]?.examples,
          )
        : document.swaggerObject,
  })
  await app.register(async (docs) => {
    docs.addHook('onRequest', addressLimitHook(limit))
    await docs.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      ...(exampleArrival !== undefined && {
        transformSpecification: (document) =>
          moveExamples(document, exampleArrival, systemClock.nowMs()) as Record<string, unknown>,
        transformSpecificationClone: false,
      }),
      logo: { type: 'image/svg+xml', content: DOCS_LOGO, href: '/docs' },
      theme: { title, favicon: [DOCS_ICON] },
    })
  })
}

function nameOf(json: { $id?: unknown }, index: number): string {
  return typeof json.$id === 'string' ? json.$id : `def-${index}`
}

interface DocumentedParts extends OpenApiOptions {
  readonly describe: SchemaDescriber
}

function documented(
  schema: FastifySchema,
  { config, handler }: RouteOptions,
  { operations = {}, describe, ...options }: DocumentedParts,
): FastifySchema {
  const needsKey = isIdempotentHandler(handler)
  const { problems, documentedBody, operation } = config ?? {}
  const { problemMembers, commonHeaders = () => [] } = options
  const responses = {
    ...problemsOf(problems, needsKey, problemMembers),
    ...successesOf(schema, config ?? {}, { needsKey, describe, options }),
    default: problems === undefined ? PROBLEM_RESPONSE : GENERAL_RESPONSE,
  }
  const response = withCommonHeaders(responses, (status) => commonHeaders(operation ?? '', status))
  const ids = operation === undefined ? {} : { operationId: operation, 'x-operation': operation }
  const notes: Partial<OperationNotes> = operations[operation ?? ''] ?? {}
  const { examples = {}, ...texts } = notes
  const own = documentedBody ?? schema.body
  const known = {
    ...ids,
    ...texts,
    ...securityOf(config ?? {}, options),
    ...schema,
    ...withOptionalDefaults(describe(schema.querystring, 'request')),
    ...(schema.params !== undefined && { params: describe(schema.params, 'request') }),
    ...headersOf(schema.headers, config ?? {}, needsKey),
    ...(own !== undefined && { body: describe(own, 'request') }),
    response,
  }
  return withExamples(known, examples)
}

/** Successful responses and 304, with their headers. */
function successesOf(
  { response = {} }: FastifySchema,
  { responseHeaders: names = [], revalidates = false }: FastifyContextConfig,
  parts: {
    readonly needsKey: boolean
    readonly describe: SchemaDescriber
    readonly options: Pick<OpenApiOptions, 'sessionCookie'>
  },
) {
  const { needsKey, describe, options } = parts
  const described = Object.entries(response as Record<string, object>).map(
    ([status, schema]) =>
      [status, { ...RESPONSE_TEXTS[status], ...(describe(schema, 'response') as object) }] as const,
  )
  const all = { ...(revalidates && { 304: NOT_MODIFIED }), ...Object.fromEntries(described) }
  return withResponseHeaders(all, { names, needsKey, cookieName: options.sessionCookie?.name })
}

/** The requirements of a route: the session, or one of the other ways of the service. */
function securityOf(
  { problems, operation, readsSession }: FastifyContextConfig,
  { sessionCookie, security }: Pick<OpenApiOptions, 'sessionCookie' | 'security'>,
): { security?: Record<string, string[]>[] } {
  const needsSession = sessionCookie && problems?.includes('MELMASTOON.SESSION.COOKIE_INVALID')
  if (needsSession) return { security: [requirement(['session'])] }
  if (sessionCookie && readsSession) return { security: [{}, requirement(['session'])] }
  const schemes = security?.of(operation ?? '') ?? []
  return schemes.length > 0 ? { security: [requirement(schemes)] } : {}
}

const requirement = (schemes: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(schemes.map((name) => [name, []]))

/** Only where a service lists the problems of its routes. */
function problemsOf(
  codes: readonly ProblemCode[] | undefined,
  needsKey: boolean,
  members?: ProblemMembers,
) {
  if (codes === undefined) return {}
  return problemResponses([...codes, ...(needsKey ? KEY_PROBLEMS : [])], members)
}

/** For the document only: callers may omit a parameter that has a default. */
function withOptionalDefaults(querystring: unknown): Pick<FastifySchema, 'querystring'> {
  if (querystring === undefined) return {}
  const { properties = {}, required = [], ...rest } = querystring as ParametersSchema
  const needed = required.filter((name) => !('default' in (properties[name] ?? {})))
  return { querystring: { ...rest, properties, required: needed } }
}

/** The headers of the schema of a route, and those that a hook or the handler reads. */
function headersOf(
  own: unknown,
  { documentedHeaders, revalidates }: FastifyContextConfig,
  needsKey: boolean,
) {
  const { properties: validated = {}, required: needed = [] } = (own ?? {}) as ParametersSchema
  const key = needsKey ? IDEMPOTENCY_HEADER : {}
  const condition = revalidates === true ? CONDITION_HEADER : {}
  const properties = { ...key, ...condition, ...documentedHeaders, ...validated }
  if (Object.keys(properties).length === 0) return {}
  return { headers: { type: 'object', required: [...Object.keys(key), ...needed], properties } }
}

interface ParametersSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
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
