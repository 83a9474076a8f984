import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** A check that also fails on members the schema does not name. */
export function closedCheck(schema: TSchema): (value: unknown) => unknown[] {
  const validator = Compile(close(schema) as TSchema)
  return (value) => validator.Errors(value)
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, close(value)]),
  )
  const isObject = closed['type'] === 'object' && closed['patternProperties'] === undefined
  return isObject ? { ...closed, additionalProperties: false } : closed
}
