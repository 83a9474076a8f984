import { type FieldError, type Problem, problem } from '@melmastoon/domain'
import type { ErrorObject } from 'ajv'

/** Names the field and the rule, never the value: payloads of rejected events may be personal. */
export function rejectEvent(subject: string, error: FieldError): Problem {
  const detail = `Event ${subject} rejected at ${error.pointer || '/'}: ${error.code}`
  return problem('MELMASTOON.GENERAL.EVENT_REFUSED', { detail, errors: [error] })
}

export function schemaError(errors: readonly ErrorObject[] | null | undefined): FieldError {
  const first = errors?.[0]
  if (first === undefined) return { pointer: '', code: 'schema', detail: 'does not match' }
  const missing: unknown = first.params['missingProperty']
  const pointer =
    typeof missing === 'string' ? `${first.instancePath}/${missing}` : first.instancePath
  return { pointer, code: first.keyword, detail: first.message ?? 'does not match' }
}
