import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

/**
 * A body that parses and breaks its contract: the last member that has to be there is gone, and
 * the first one has a type it never has. What cannot lose a member turns into something else.
 */
export function tellLie(schema: TSchema, body: unknown): unknown {
  if (!isObject(body)) return { unexpected: true }
  const required = requiredOf(schema).filter((name) => Object.hasOwn(body, name))
  const [first, last] = [required.at(0), required.at(-1)]
  if (first === undefined || last === undefined) return [body]
  const lie = { ...body, [first]: wrongType(body[first]) }
  if (last === first) return lie
  return Object.fromEntries(Object.entries(lie).filter(([name]) => name !== last))
}

function requiredOf(schema: TSchema): readonly string[] {
  const { required } = schema as { required?: unknown }
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Numbers become text, as the commonest lie has it. */
function wrongType(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return { value }
  if (Array.isArray(value)) return 'none'
  return typeof value === 'boolean' ? String(value) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
