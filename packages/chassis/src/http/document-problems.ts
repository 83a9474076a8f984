import { PROBLEMS, type ProblemCode, problem, problemDocument } from '@melmastoon/domain'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For the document only: the codes with which this route rejects, besides the general ones. */
    problems?: readonly ProblemCode[]
  }
}

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

/** One response per status, with the codes that it can have and an example of the first. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [String(status), problemResponse(group)]),
  )
}

function problemResponse(codes: readonly ProblemCode[]): object {
  const examples = codes.map((code) => [code, { value: exampleOf(code) }])
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n'),
    content: {
      [CONTENT_TYPE]: {
        schema: { allOf: [{ $ref: 'Problem#' }, { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function exampleOf(code: ProblemCode): object {
  return problemDocument(problem(code), {
    instance: '/…',
    requestId: 'req_01K0000000000000000000000R',
    traceId: '0af7651916cd43dd8448eb211c80319c',
  })
}
