import { PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { BrokenPromise } from './check.ts'
import { findFault } from './validate-response.ts'
import type { Answer } from './wire.ts'

/** RFC 9457, with what every service of the platform adds. */
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
export function expectProblem(answer: Answer, codes: readonly ProblemCode[]): ProblemDocument {
  const { status, contentType, text } = answer
  const wanted = codes.map((code) => `${PROBLEMS[code].status} ${code}`).join(' or ')
  if (!contentType.startsWith('application/problem+json')) {
    throw new BrokenPromise(`${status} as ${contentType || 'nothing'}, not ${wanted}`)
  }
  const document: unknown = JSON.parse(text)
  const fault = findFault(ProblemDocument, document)
  if (fault !== null) throw new BrokenPromise(`a problem document with ${fault}`)
  const problem = document as ProblemDocument
  const isWanted = codes.some((code) => code === problem.code && PROBLEMS[code].status === status)
  if (!isWanted || problem.status !== status) {
    throw new BrokenPromise(`${status} ${problem.code}, not ${wanted}`)
  }
  return problem
}
