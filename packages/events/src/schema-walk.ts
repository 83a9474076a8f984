/** JSON Schema as plain data; TypeBox schemas are exactly that. */
export type JsonSchema = { readonly [keyword: string]: unknown }

export function asSchema(value: unknown): JsonSchema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : null
}

export function schemaList(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map(asSchema).filter((schema) => schema !== null) : []
}

/** The boolean schema `true` counts as `{}`: both allow everything. */
export function propertiesOf(schema: JsonSchema): [string, JsonSchema][] {
  const properties = asSchema(schema['properties']) ?? {}
  return Object.entries(properties).map(([name, child]) => [name, asSchema(child) ?? {}])
}

export function variantsOf(schema: JsonSchema): JsonSchema[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => schemaList(schema[keyword]))
}

export function isObjectSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object' || schema['properties'] !== undefined
}

/**
 * The same contract for a reader: unknown fields are tolerated, because within a version a newer
 * producer may have added some.
 */
export function openSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openSchema)
  const object = asSchema(schema)
  if (object === null) return schema
  const entries = Object.entries(object).filter(
    ([keyword, value]) => !(keyword === 'additionalProperties' && value === false),
  )
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, openSchema(value)]))
}
