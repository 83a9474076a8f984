import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

/**
 * Answers are checked against what the contract promises us and may carry more: an upstream adds
 * fields without asking, and only a missing or changed one is drift.
 */
const ajv = new Ajv({ strict: false, allErrors: false })
const compiled = new WeakMap<TSchema, ValidateFunction>()

export function findDrift(schema: TSchema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? compile(schema)
  if (validate(value)) return null
  const [first] = validate.errors ?? []
  return `${first?.instancePath ?? ''} ${first?.keyword ?? 'unknown'}`
}

function compile(schema: TSchema): ValidateFunction {
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}
