type Json = Readonly<Record<string, unknown>>

/** The name and the texts of a schema in the document. */
export interface SchemaNote {
  readonly description: string
  /** The schemas of the code with this name, found by their content. */
  readonly of?: readonly object[]
  /** Of properties whose schemas have no description, or a less specific one. */
  readonly properties?: Readonly<Record<string, string>>
  /** Instead of the schema of the code, where the document can say more about it. */
  readonly as?: object
}

export interface SchemaNotes {
  /** By name. */
  readonly schemas: Readonly<Record<string, SchemaNote>>
  /** The meaning of a property by its name, wherever nothing else describes it. */
  readonly terms: Readonly<Record<string, string>>
  /**
   * Where the texts of the values of a property are in the message catalogue, by `Schema.property`:
   * `labels.board` for `labels.board.breakfast`.
   */
  readonly labels?: Readonly<Record<string, string>>
}

/** For `hoistNamedSchemas`: the text of the place where a named schema is used. */
export const USE = 'x-use'

/** Annotates the schema of a request or of a response. */
export type SchemaDescriber = (schema: unknown, part: 'request' | 'response') => unknown

/** Names and describes schemas for the document; validation uses them as they are. */
export function createSchemaDescriber({
  schemas,
  terms,
  labels = {},
}: SchemaNotes): SchemaDescriber {
  const names = namesByContent(schemas)

  const describe = (schema: unknown, isRequest: boolean): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => describe(item, isRequest))
    if (typeof schema !== 'object' || schema === null) return schema
    const node = schema as Json
    const { title } = node
    const name = typeof title === 'string' ? title : names.get(contentOf(node))
    const note = schemas[name ?? '']
    if (name === undefined || note === undefined) return withParts(node, { isRequest })
    const { as: replacement, description } = note
    // Both are the same schema, because a replacement is not closed for requests.
    const isInput = isRequest && replacement === undefined
    const content = (replacement ?? node) as Json
    const own = { name, texts: note.properties ?? {}, isRequest: isInput }
    const { description: _own, ...parts } = withParts(content, own)
    const ownName = isInput && !name.endsWith('Request') ? `${name}Input` : name
    const use = node['description']
    return { ...parts, title: ownName, description, ...(use !== undefined && { [USE]: use }) }
  }

  const withParts = (node: Json, { name: owner = '', texts = {}, isRequest }: Owner) => {
    const copy: Record<string, unknown> = { ...node }
    const { properties } = node
    if (typeof properties === 'object' && properties !== null) {
      const entries = Object.entries(properties).map(([name, part]) => {
        const described = withText(describe(part, isRequest) as Json, texts[name], terms[name])
        return [name, withLabels(described, labels[`${owner}.${name}`])]
      })
      copy['properties'] = Object.fromEntries(entries)
    }
    for (const key of ['items', 'anyOf', 'oneOf', 'additionalProperties']) {
      if (node[key] !== undefined) copy[key] = describe(node[key], isRequest)
    }
    return copy
  }

  return (schema, part) => describe(schema, part === 'request')
}

/** The schema that the described parts belong to. */
interface Owner {
  readonly name?: string
  readonly texts?: Readonly<Record<string, string>>
  readonly isRequest: boolean
}

function withLabels(schema: Json, prefix: string | undefined): Json {
  if (prefix === undefined) return schema
  const texts = `Texts in the message catalogue: \`${prefix}.<value>\``
  const own = schema['description']
  if (typeof own !== 'string') return { ...schema, description: texts }
  return { ...schema, description: `${own.replace(/[.\s]+$/, '')}. ${texts}` }
}

/** A specific text first, then the schema's own, then that of the term. */
function withText(schema: Json, text: string | undefined, term: string | undefined): Json {
  if (typeof schema['title'] === 'string') {
    const use = text ?? schema[USE]
    return use === undefined ? schema : { ...schema, [USE]: use }
  }
  const description = text ?? schema['description'] ?? term
  return description === undefined ? schema : { ...schema, description }
}

function namesByContent(schemas: SchemaNotes['schemas']): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [name, { of = [] }] of Object.entries(schemas)) {
    for (const schema of of) {
      const content = contentOf(schema as Json)
      const other = names.get(content)
      if (other !== undefined && other !== name) {
        throw new TypeError(`the schemas ${other} and ${name} are equal`)
      }
      names.set(content, name)
    }
  }
  return names
}

/** Without what depends on the place: its description, and that requests are closed. */
function contentOf({ description: _use, ...schema }: Json): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key.startsWith('~') || (key === 'additionalProperties' && value === false)) return undefined
    return value
  })
}
