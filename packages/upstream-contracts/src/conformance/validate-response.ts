import { closeSchema } from '@melmastoon/chassis/http'
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'

type Validator = ReturnType<typeof Schema.Compile>

const compiled = new WeakMap<object, Validator>()

/** The first way in which a value is not what the schema says; null when it is. */
export function findFault(schema: TSchema, value: unknown): string | null {
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
 * A copy that admits no member the contract does not name. Callers bear more (that is how an
 * upstream grows); whoever serves the contract has to write it down first.
 */
export function closeResponse(schema: TSchema): TSchema {
  let copy = closed.get(schema)
  if (copy === undefined) {
    copy = closeSchema(schema) as TSchema
    closed.set(schema, copy)
  }
  return copy
}
