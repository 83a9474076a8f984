import { type Static, Type } from 'typebox'

/** RFC 9457 body with the members every service adds (P2). */
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
