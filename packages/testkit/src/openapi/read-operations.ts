import Schema from 'typebox/schema'

type Json = Readonly<Record<string, unknown>>

interface Media {
  readonly schema?: Json
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Content {
  readonly content?: Readonly<Record<string, Media>>
}

interface RawOperation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly example?: unknown
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** A body of a request or response in one media type. */
export interface DocumentedBody {
  /** For messages: `booking.hold.place 201`. */
  readonly name: string
  readonly mediaType: string
  readonly isNamed: boolean
  readonly examples: readonly unknown[]
  /** The errors of the examples, also for members that the schema does not name. */
  faults(): string[]
}

export interface DocumentedOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Parameters that are sent as headers. */
  readonly headerNames: readonly string[]
  readonly request: DocumentedBody | undefined
  /** Of successful responses. */
  readonly responses: readonly DocumentedBody[]
  readonly problems: readonly DocumentedBody[]
}

/** The operations of an OpenAPI document, with their examples. */
export function readOperations(text: string): DocumentedOperation[] {
  const document = JSON.parse(text) as OpenApiDocument
  const components = { schemas: closedSchemas(document.components.schemas) }
  const bodiesOf = (name: string, { content = {} }: Content): DocumentedBody[] =>
    Object.entries(content).map(([mediaType, media]) => ({
      name,
      mediaType,
      isNamed: media.schema?.['$ref'] !== undefined,
      examples: examplesOf(media),
      faults: () => examplesOf(media).flatMap((value) => faultsOf(media.schema, components, value)),
    }))
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId: id, ...operation }]) => {
      const { requestBody = {}, responses, parameters = [] } = operation
      const bodies = Object.entries(responses).flatMap(([status, response]) =>
        bodiesOf(`${id} ${status}`, response),
      )
      const isProblem = ({ mediaType }: DocumentedBody) => mediaType.includes('problem')
      return {
        id,
        method: method.toUpperCase(),
        path,
        parameters: Object.fromEntries(parameters.map(({ name, example }) => [name, example])),
        headerNames: parameters.filter((each) => each.in === 'header').map(({ name }) => name),
        request: bodiesOf(`${id} request`, requestBody)[0],
        responses: bodies.filter((body) => !isProblem(body)),
        problems: bodies.filter(isProblem),
      }
    }),
  )
}

function examplesOf({ example, examples = {} }: Media): unknown[] {
  const several = Object.values(examples).map(({ value }) => value)
  return example === undefined ? several : [example, ...several]
}

function faultsOf(schema: Json = {}, components: object, value: unknown): string[] {
  const validator = Schema.Compile({ ...schema, components })
  if (validator.Check(value)) return []
  const [, faults] = validator.Errors(value)
  return faults.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
}

/** Problems have members of their own; everything else is fully described. */
function closedSchemas(schemas: Readonly<Record<string, Json>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name.endsWith('Problem') ? schema : close(schema),
    ]),
  )
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const closed = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, close(inner)]),
  )
  const isOpen = closed['type'] === 'object' && closed['patternProperties'] === undefined
  return isOpen ? { additionalProperties: false, ...closed } : closed
}
