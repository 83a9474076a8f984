import { closeSchema } from '@melmastoon/chassis/http'
import type { TSchema } from 'typebox'

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
