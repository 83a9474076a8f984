import type { ServiceContracts } from '@melmastoon/chassis/service'
import { type DocumentedBody, type DocumentedOperation, readOperations } from './read-operations.ts'

type Json = Readonly<Record<string, unknown>>

/** Ids, versions and dates of this run instead of those in the example. */
export interface ExampleSubstitutes {
  readonly parameters?: Json
  readonly body?: Json
}

export interface ExampleRequest {
  readonly operation: DocumentedOperation
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The documented examples of a service as requests that a test sends. */
export class ExampleRequests {
  readonly operations: ReadonlyMap<string, DocumentedOperation>
  readonly #used = new Set<string>()

  private constructor(operations: readonly DocumentedOperation[]) {
    this.operations = new Map(operations.map((operation) => [operation.id, operation]))
  }

  static async read(contracts: Pick<ServiceContracts, 'openApi'>): Promise<ExampleRequests> {
    return new ExampleRequests(readOperations(await contracts.openApi()))
  }

  /** Operations whose example was not requested. */
  unused(): string[] {
    return [...this.operations.keys()].filter((id) => !this.#used.has(id)).toSorted()
  }

  operation(id: string): DocumentedOperation {
    const operation = this.operations.get(id)
    if (operation === undefined) throw new Error(`no operation ${id}`)
    return operation
  }

  /** The ids of the demo world in the examples of responses. */
  shownIds(): ReadonlySet<string> {
    return idsIn([...this.operations.values()].map(({ responses }) => responses.map(examplesOf)))
  }

  requestOf(id: string, { parameters, body }: ExampleSubstitutes = {}): ExampleRequest {
    const operation = this.operation(id)
    this.#used.add(id)
    const values: Json = { ...operation.parameters, ...parameters }
    const example = operation.request?.examples[0]
    const own = example === undefined || example === null ? body : { ...Object(example), ...body }
    const { method } = operation
    return {
      operation,
      method,
      path: pathOf(operation, values),
      headers: headersOf(operation, values),
      body: own ?? example,
    }
  }
}

function examplesOf({ examples }: DocumentedBody): readonly unknown[] {
  return examples
}

/** Tenants, properties, room types, rooms and rate plans: they exist before the first request. */
export function idsIn(value: unknown): ReadonlySet<string> {
  return new Set(JSON.stringify(value).match(/\b(?:tnt|ppt|rmt|rmu|rate)_[0-9A-Z]{26}/g))
}

function pathOf({ path, headerNames }: DocumentedOperation, values: Json): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    const isElsewhere = path.includes(`{${name}}`) || headerNames.includes(name)
    if (value !== undefined && !isElsewhere) search.set(name, `${value as string | number}`)
  }
  return search.size === 0 ? filled : `${filled}?${search.toString()}`
}

/** Every request needs a key of its own. */
const KEY = 'idempotency-key'

function headersOf({ headerNames }: DocumentedOperation, values: Json): Record<string, string> {
  const given = headerNames.filter((name) => name !== KEY && values[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, String(values[name])]))
}
