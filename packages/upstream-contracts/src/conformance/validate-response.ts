import { closeSchema } from '@melmastoon/chassis/http'
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'

type Validator = ReturnType<typeof Schema.Compile>

const compiled = new WeakMap<object, Validator>()

/** The first schema error of a value; null when it is valid. */
export function findSchemaError(schema: TSchema, value: unknown): string | null {
  let validator = compiled.get(schema)
  if (validator === undefined) {
    validator = Schema.Compile(schema)
    compiled.set(schema, validator)
  }
  if (validator.Check(value)) return null
  const [, faults] = validator.Errors(value)
  const fault = faults.at(-1)
  return `${fault?.instancePath || '/'} ${fault?.message ?? 'is not valid'}`
}

const closed = new WeakMap<TSchema, TSchema>()

/**
 * A copy that accepts no additional member. Callers tolerate additional members (that is how an
 * upstream evolves); the server has to declare them in the contract first.
 */
export function closeResponse(schema: TSchema): TSchema {
  let copy = closed.get(schema)
  if (copy === undefined) {
    copy = closeSchema(schema) as TSchema
    closed.set(schema, copy)
  }
  return copy
}
