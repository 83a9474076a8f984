import { isProblem, type Problem, type ProblemCode, problem } from '@melmastoon/domain'
import type { FastifySchemaValidationError } from 'fastify'
import { toFieldErrors } from './field-errors.ts'

/** Fastify's own refusals. What is not listed is a mistake of ours and answered as internal. */
const FASTIFY_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MELMASTOON.GENERAL.MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MELMASTOON.GENERAL.MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MELMASTOON.GENERAL.MALFORMED_BODY',
  FST_ERR_BAD_URL: 'MELMASTOON.GENERAL.VALIDATION_FAILED',
  FST_ERR_MAX_PARAM_LENGTH: 'MELMASTOON.GENERAL.ROUTE_NOT_FOUND',
  FST_ERR_HANDLER_TIMEOUT: 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
}

interface ThrownByFastify {
  code?: string
  statusCode?: number
  validation?: FastifySchemaValidationError[]
  validationContext?: string
}

/**
 * The last resort: any thrown value as the problem a caller is told. What the chassis itself meets
 * (Postgres, upstreams) is a problem before it comes here.
 */
export function toProblem(thrown: unknown): Problem {
  if (isProblem(thrown)) return thrown
  if (!(thrown instanceof Error)) return problem('MELMASTOON.GENERAL.INTERNAL')
  const error = thrown as Error & ThrownByFastify
  if (error.validation) {
    const errors = toFieldErrors(error.validation, error.validationContext ?? 'body')
    return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
  }
  const code = FASTIFY_CODES[error.code ?? ''] ?? codeByNature(error)
  return problem(code, { cause: error })
}

function codeByNature(error: Error & ThrownByFastify): ProblemCode {
  if (error.name === 'TimeoutError') return 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED'
  if (error instanceof SyntaxError && error.statusCode === 400) {
    return 'MELMASTOON.GENERAL.MALFORMED_BODY'
  }
  if (error.code === 'ECONNRESET' && error.statusCode === 400) {
    return 'MELMASTOON.GENERAL.MALFORMED_BODY'
  }
  return 'MELMASTOON.GENERAL.INTERNAL'
}
