import { PROBLEMS, type Problem, type ProblemCode, problem } from '@melmastoon/domain'

/** The draft standard asks for a link to the documentation of the error. */
export function describedProblem(
  code: ProblemCode,
  retryAfterSeconds?: number,
  cause?: Problem,
): Problem {
  const headers = { link: `<${PROBLEMS[code].type}>; rel="describedby"` }
  const { detail, errors } = cause ?? {}
  return problem(code, { headers, retryAfterSeconds, detail, errors, cause })
}
