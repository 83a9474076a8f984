import { type FieldError, fieldError } from '@melmastoon/domain'
import type { TLocalizedValidationError } from 'typebox/error'

/** A compiled schema. */
export interface ErrorSource {
  Errors(value: unknown): TLocalizedValidationError[]
}

const ERRORS_MAX = 20
const NAME_LENGTH_MAX = 64

/** In the form of problems: RFC 6901 pointers into the intent, and texts of the schema only. */
export function findErrors(source: ErrorSource, value: unknown, prefix = ''): FieldError[] {
  return source
    .Errors(value)
    .flatMap((error) => toFieldErrors(error, prefix))
    .slice(0, ERRORS_MAX)
}

function toFieldErrors(error: TLocalizedValidationError, prefix: string): FieldError[] {
  const { keyword, instancePath, message } = error
  const path = prefix + instancePath
  if (error.keyword === 'required') {
    const { requiredProperties } = error.params
    return requiredProperties.map((name) => fieldError(member(path, name), keyword, 'is required'))
  }
  if (error.keyword === 'additionalProperties') {
    const { additionalProperties } = error.params
    return additionalProperties.map((name) =>
      fieldError(member(path, name), keyword, 'is not a known field'),
    )
  }
  // What an unknown member violates as well: the schema that nothing fulfils.
  if (keyword === 'boolean') return []
  return [fieldError(path, keyword, message)]
}

function member(path: string, name: string): string {
  return `${path}/${name.slice(0, NAME_LENGTH_MAX).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
