import type { FieldError } from '@melmastoon/domain'
import type { FastifySchemaValidationError } from 'fastify'

const ERRORS_MAX = 20
const NAME_LENGTH_MAX = 64

/** Pointers into a body stand alone; other parts of a request lead with their name. */
const PREFIXES: Readonly<Record<string, string>> = {
  body: '',
  querystring: '/query',
  params: '/params',
  headers: '/headers',
}

/** Ajv's findings as RFC 6901 pointers. Texts come from the schema, never from the input. */
export function toFieldErrors(
  findings: readonly FastifySchemaValidationError[],
  part: string,
): FieldError[] {
  const prefix = PREFIXES[part] ?? `/${part}`
  return findings
    .filter(({ keyword }) => keyword !== 'if')
    .slice(0, ERRORS_MAX)
    .map((finding) => ({
      pointer: prefix + finding.instancePath + lastStep(finding),
      code: finding.keyword,
      detail: detailOf(finding),
    }))
}

/** Ajv's own words, but where they leave out what the caller needs or speak of the parent. */
function detailOf({ keyword, params, message = 'is not valid' }: FastifySchemaValidationError) {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not known here'
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
