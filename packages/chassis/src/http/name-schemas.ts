import { isDeepStrictEqual } from 'node:util'

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
  const schemas: Json = { ...components.schemas }
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
  const { title, type } = copy
  if (typeof title !== 'string' || typeof type !== 'string') return copy
  return referenceTo(title, copy, schemas)
}

function referenceTo(name: string, schema: Json, schemas: Json): Json {
  const { title: _name, ...rest } = schema
  const known = schemas[name]
  if (known !== undefined && !isDeepStrictEqual(known, rest)) {
    throw new TypeError(`the OpenAPI document has two different schemas named ${name}`)
  }
  schemas[name] = rest
  return { $ref: `#/components/schemas/${name}` }
}
