type Json = Readonly<Record<string, unknown>>

/**
 * Rejects unknown members wherever a schema does not say otherwise. Members of an intersection stay
 * open and the whole is closed instead, because each part knows only its own members.
 */
export function closeSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const closed: Record<string, unknown> = { ...schema }
  if (isObject(schema['properties'])) {
    closed['properties'] = mapValues(schema['properties'], closeSchema)
    closed['additionalProperties'] ??= false
  }
  if (isObject(schema['items'])) closed['items'] = closeSchema(schema['items'])
  for (const union of ['anyOf', 'oneOf']) {
    const branches = schema[union]
    if (Array.isArray(branches)) closed[union] = branches.map(closeSchema)
  }
  if (Array.isArray(schema['allOf'])) closed['unevaluatedProperties'] ??= false
  return closed
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
