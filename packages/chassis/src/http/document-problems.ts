import { PROBLEMS, type ProblemCode, problem, problemDocument } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { problemHeaders } from './document-headers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document only: the codes with which this route rejects, besides the general ones. */
    problems?: readonly ProblemCode[]
  }
}

/** The codes with which any route can reject, whatever it does. */
const GENERAL_PROBLEMS: readonly ProblemCode[] = [
  'MELMASTOON.GENERAL.ROUTE_NOT_FOUND',
  'MELMASTOON.GENERAL.METHOD_NOT_ALLOWED',
  'MELMASTOON.GENERAL.VALIDATION_FAILED',
  'MELMASTOON.GENERAL.MALFORMED_BODY',
  'MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE',
  'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE',
  'MELMASTOON.GENERAL.HEADERS_TOO_LARGE',
  'MELMASTOON.GENERAL.REQUEST_TIMEOUT',
  'MELMASTOON.GENERAL.NOT_ACCEPTABLE',
  'MELMASTOON.GENERAL.CROSS_SITE_REQUEST',
  'MELMASTOON.GENERAL.INTERNAL',
  'MELMASTOON.GENERAL.OVERLOADED',
  'MELMASTOON.GENERAL.SHUTTING_DOWN',
  'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
  'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
]

const FIELD_ERROR_SCHEMA = Type.Object(
  {
    pointer: Type.String({
      description:
        'A JSON pointer into the body, or one that begins with `/query`, `/params` or `/headers`',
    }),
    code: Type.String({ description: 'The rule that is violated' }),
    detail: Type.String({ description: 'The rule in words, for developers' }),
  },
  { title: 'FieldError', description: 'One invalid member of a request' },
)

/** The RFC 9457 document with the members that every service adds (P2). */
export const PROBLEM_SCHEMA = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Identifies the kind of problem' }),
    title: Type.String({ description: 'The same for all problems with this code' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status' }),
    detail: Type.String({ description: 'What is wrong with this request, for developers' }),
    instance: Type.String({ description: 'The path of the request' }),
    code: Type.String({ pattern: '^MELMASTOON\\.', description: 'Stable: clients decide by it' }),
    errors: Type.Optional(
      Type.Array(FIELD_ERROR_SCHEMA, { description: 'What is wrong with the members sent' }),
    ),
    requestId: Type.String({ description: 'As in `X-Request-Id`; quote it to support' }),
    traceId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Of the distributed trace' }),
    retriable: Type.Boolean({ description: 'The very same request can succeed later' }),
    retryAfter: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Seconds, as `Retry-After`',
    }),
    userMessageKey: Type.String({
      description: 'The key of the text for the user, in the messages of this API',
    }),
  },
  {
    $id: 'Problem',
    description: 'Why a request was rejected (RFC 9457)',
    additionalProperties: true,
  },
)

export type ProblemBody = Static<typeof PROBLEM_SCHEMA>

const CONTENT_TYPE = 'application/problem+json'

export const PROBLEM_RESPONSE = {
  description: 'Problem (RFC 9457)',
  content: { [CONTENT_TYPE]: { schema: { $ref: 'Problem#' } } },
}

/** The codes of every route with an idempotency key (D8). */
export const KEY_PROBLEMS: readonly ProblemCode[] = [
  'MELMASTOON.IDEMPOTENCY.KEY_MISSING',
  'MELMASTOON.IDEMPOTENCY.KEY_INVALID',
  'MELMASTOON.IDEMPOTENCY.KEY_REUSED',
  'MELMASTOON.IDEMPOTENCY.IN_FLIGHT',
]

/** The schemas of members that only the problems with a code have. */
export type ProblemMembers = Partial<Record<ProblemCode, Readonly<Record<string, object>>>>

/** One response per status, with the codes that it can have and an example of the first. */
export function problemResponses(
  codes: readonly ProblemCode[],
  members: ProblemMembers = {},
): Record<string, object> {
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [String(status), problemResponse(group, members)]),
  )
}

/** For all other statuses: the codes of every route. */
export const GENERAL_RESPONSE = {
  description: 'Problems of any operation (RFC 9457)',
  content: {
    [CONTENT_TYPE]: {
      schema: Type.Object(
        {
          ...PROBLEM_SCHEMA.properties,
          code: Type.String({ ...PROBLEM_SCHEMA.properties.code, enum: [...GENERAL_PROBLEMS] }),
        },
        {
          title: 'GeneralProblem',
          description: describe(GENERAL_PROBLEMS),
          additionalProperties: true,
        },
      ),
    },
  },
}

function problemResponse(codes: readonly ProblemCode[], members: ProblemMembers): object {
  const own: object = Object.assign({}, ...codes.map((code) => members[code] ?? {}))
  const examples = codes.map((code) => [code, { value: exampleOf(code) }])
  return {
    description: describe(codes),
    content: {
      [CONTENT_TYPE]: {
        schema: {
          allOf: [{ $ref: 'Problem#' }, { properties: { code: { enum: codes }, ...own } }],
        },
        examples: Object.fromEntries(examples),
      },
    },
    ...problemHeaders(codes),
  }
}

function exampleOf(code: ProblemCode): object {
  return problemDocument(problem(code), {
    instance: '/…',
    requestId: 'req_01K0000000000000000000000R',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  })
}

function describe(codes: readonly ProblemCode[]): string {
  return codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n')
}
