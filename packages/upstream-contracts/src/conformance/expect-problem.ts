import { PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { ContractViolation } from './check.ts'
import { findSchemaError } from './validate-response.ts'
import type { TestResponse } from './wire.ts'

/** RFC 9457, with the members that every service of the platform adds. */
const ProblemDocument = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String({ pattern: '^MELMASTOON\\.' }),
  requestId: Type.String(),
  traceId: Type.String(),
  retriable: Type.Boolean(),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), code: Type.String() }))),
})

export type ProblemDocument = Static<typeof ProblemDocument>

/** One of the codes, with its status, as `application/problem+json`. */
export function expectProblem(
  response: TestResponse,
  codes: readonly ProblemCode[],
): ProblemDocument {
  const { status, contentType, text } = response
  const wanted = codes.map((code) => `${PROBLEMS[code].status} ${code}`).join(' or ')
  if (!contentType.startsWith('application/problem+json')) {
    throw new ContractViolation(`${status} as ${contentType || 'nothing'}, not ${wanted}`)
  }
  const document: unknown = JSON.parse(text)
  const fault = findSchemaError(ProblemDocument, document)
  if (fault !== null) throw new ContractViolation(`invalid problem document: ${fault}`)
  const problem = document as ProblemDocument
  const isWanted = codes.some((code) => code === problem.code && PROBLEMS[code].status === status)
  if (!isWanted || problem.status !== status) {
    throw new ContractViolation(`${status} ${problem.code}, not ${wanted}`)
  }
  return problem
}
