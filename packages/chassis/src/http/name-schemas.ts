import { isDeepStrictEqual } from 'node:util'
import { USE } from './document-schemas.ts'

type Json = Record<string, unknown>

/** Members that contain values, such as a problem document with its own `title`. */
const NO_SCHEMAS: ReadonlySet<string> = new Set(['example', 'examples'])

interface Document {
  readonly paths?: unknown
  readonly components?: { readonly schemas?: Json }
}

/**
 * Moves every schema with a title to `components`, where every use of it becomes a reference.
 * Validation and serialisation use the schemas themselves.
 * @throws TypeError for two under one name.
 */
export function hoistNamedSchemas<D extends object>(document: D): D {
  const { paths, components = {} } = document as Document
  const schemas: Json = {}
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    schemas[name] = hoist(schema, schemas)
  }
  const hoisted = hoist(paths, schemas)
  return { ...document, paths: hoisted, components: { ...components, schemas } }
}

function hoist(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      NO_SCHEMAS.has(name) ? inner : hoist(inner, schemas),
    ]),
  )
  const { title, type, oneOf, anyOf } = copy
  const isSchema = typeof type === 'string' || Array.isArray(oneOf ?? anyOf)
  if (typeof title !== 'string' || !isSchema) return copy
  return referenceTo(title, copy, schemas)
}

/** A text that only concerns this use of the schema is next to the reference. */
function referenceTo(name: string, schema: Json, schemas: Json): Json {
  const { title: _name, [USE]: use, ...rest } = schema
  const known = schemas[name]
  if (known !== undefined && !isDeepStrictEqual(known, rest)) {
    throw new TypeError(`the OpenAPI document has two different schemas named ${name}`)
  }
  schemas[name] = rest
  const reference = { $ref: `#/components/schemas/${name}` }
  return use === undefined ? reference : { ...reference, description: use }
}
