import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

/**
 * A body that is valid JSON and violates its contract: the last required member is missing, and the
 * first one has a wrong type. A body without required members is replaced.
 */
export function violateContract(schema: TSchema, body: unknown): unknown {
  if (!isObject(body)) return { unexpected: true }
  const required = requiredOf(schema).filter((name) => Object.hasOwn(body, name))
  const [first, last] = [required.at(0), required.at(-1)]
  if (first === undefined || last === undefined) return [body]
  const invalid = { ...body, [first]: wrongType(body[first]) }
  if (last === first) return invalid
  return Object.fromEntries(Object.entries(invalid).filter(([name]) => name !== last))
}

function requiredOf(schema: TSchema): readonly string[] {
  const { required } = schema as { required?: unknown }
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Numbers become text, the most common violation. */
function wrongType(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return { value }
  if (Array.isArray(value)) return 'none'
  return typeof value === 'boolean' ? String(value) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
