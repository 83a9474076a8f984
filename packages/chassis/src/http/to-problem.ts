import {
  type FieldError,
  isProblem,
  type Problem,
  type ProblemCode,
  problem,
} from '@melmastoon/domain'
import type { FastifySchemaValidationError } from 'fastify'

/** Errors of Fastify that need another code than their status gives. */
const FASTIFY_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MELMASTOON.GENERAL.MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MELMASTOON.GENERAL.MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MELMASTOON.GENERAL.MALFORMED_BODY',
  FST_ERR_MAX_PARAM_LENGTH: 'MELMASTOON.GENERAL.ROUTE_NOT_FOUND',
  FST_ERR_HANDLER_TIMEOUT: 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
}

/** For every other error of the framework that is the client's. Other 4xx statuses become 400. */
const CODES_BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'MELMASTOON.GENERAL.VALIDATION_FAILED',
  403: 'MELMASTOON.GENERAL.FORBIDDEN',
  404: 'MELMASTOON.GENERAL.ROUTE_NOT_FOUND',
  405: 'MELMASTOON.GENERAL.METHOD_NOT_ALLOWED',
  406: 'MELMASTOON.GENERAL.NOT_ACCEPTABLE',
  408: 'MELMASTOON.GENERAL.REQUEST_TIMEOUT',
  413: 'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE',
  415: 'MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE',
  431: 'MELMASTOON.GENERAL.HEADERS_TOO_LARGE',
}

interface ThrownByFastify {
  code?: string
  statusCode?: number
  validation?: FastifySchemaValidationError[]
  validationContext?: string
}

/**
 * The last resort: any thrown value as the problem that a caller receives. Errors of Postgres and
 * of upstreams were converted to problems before.
 */
export function toProblem(thrown: unknown): Problem {
  if (isProblem(thrown)) return thrown
  if (!(thrown instanceof Error)) return problem('MELMASTOON.GENERAL.INTERNAL')
  const error = thrown as Error & ThrownByFastify
  if (error.validation) {
    const errors = toFieldErrors(error.validation, error.validationContext ?? 'body')
    return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
  }
  return problem(codeOf(error), { cause: error })
}

function codeOf(error: Error & ThrownByFastify): ProblemCode {
  const { code = '', statusCode = 500 } = error
  const known = FASTIFY_CODES[code]
  if (known !== undefined) return known
  if (error.name === 'TimeoutError') return 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED'
  if (statusCode === 400 && (error instanceof SyntaxError || code === 'ECONNRESET')) {
    return 'MELMASTOON.GENERAL.MALFORMED_BODY'
  }
  const isOfFramework = code.startsWith('FST_') && statusCode >= 400 && statusCode < 500
  if (!isOfFramework) return 'MELMASTOON.GENERAL.INTERNAL'
  return CODES_BY_STATUS[statusCode] ?? 'MELMASTOON.GENERAL.VALIDATION_FAILED'
}

const ERRORS_MAX = 20
const NAME_LENGTH_MAX = 64

/** Pointers into a body have no prefix; other parts of a request start with their name. */
const PREFIXES: Readonly<Record<string, string>> = {
  body: '',
  querystring: '/query',
  params: '/params',
  headers: '/headers',
}

/** Ajv's findings as RFC 6901 pointers. Texts come from the schema, never from the input. */
function toFieldErrors(
  errors: readonly FastifySchemaValidationError[],
  part: string,
): FieldError[] {
  const prefix = PREFIXES[part] ?? `/${part}`
  return errors
    .filter(({ keyword }) => keyword !== 'if')
    .slice(0, ERRORS_MAX)
    .map((finding) => ({
      pointer: prefix + finding.instancePath + lastStep(finding),
      code: finding.keyword,
      detail: detailOf(finding),
    }))
}

/** Ajv's message, except where it omits necessary details or describes the parent. */
function detailOf({ keyword, params, message = 'is not valid' }: FastifySchemaValidationError) {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not a known field'
  if (keyword === 'enum' && Array.isArray(params['allowedValues'])) {
    return `must be one of ${params['allowedValues'].join(', ')}`
  }
  return message
}

/** The member that is missing or unknown is named in the parameters, not in the path. */
function lastStep({ params }: FastifySchemaValidationError): string {
  const name =
    params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  if (typeof name !== 'string') return ''
  return `/${name.slice(0, NAME_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
