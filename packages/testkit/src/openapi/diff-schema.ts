export type Json = Readonly<Record<string, unknown>>

export interface Breaking {
  /** Where, as a path of names from the operation down. */
  at: string
  rule: string
}

/** A request must not get stricter; a response must not lose anything. */
export type Direction = 'request' | 'response'

export interface Documents {
  old: Json
  new: Json
}

interface Pair extends Step {
  old: Json
  new: Json
}

/** Schemas may refer to themselves. */
const DEPTH_MAX = 12

/** Constraints that break callers when they change in the given direction. */
const LOWER_IS_STRICTER = ['maximum', 'maxLength', 'maxItems'] as const
const HIGHER_IS_STRICTER = ['minimum', 'minLength', 'minItems'] as const

/**
 * Breaking changes of a schema for the clients of an API. A request or response has one sender, so
 * a change is checked in one direction only, and everything without a rule may change. An event has
 * producers and consumers of different versions and is stored; therefore `diffSchemas` of
 * @melmastoon/events has different rules and no `$ref`.
 */
export function diffSchema(
  documents: Documents,
  schemas: { old: unknown; new: unknown; at: string },
  direction: Direction,
): Breaking[] {
  const found: Breaking[] = []
  const visit = (step: Step): void => {
    const pair: Pair = {
      ...step,
      old: resolve(documents.old, step.old),
      new: resolve(documents.new, step.new),
    }
    const report: Report = (rule, name) =>
      found.push({ at: name === undefined ? step.at : `${step.at}/${name}`, rule })
    compareType(documents, pair, report)
    compareEnum(pair, direction, report)
    if (direction === 'request') compareDemands(pair, report)
    compareRequired(pair, direction, report)
    compareProperties(pair, direction, report)
    if (step.depth < DEPTH_MAX) descend(pair, visit)
  }
  visit({ ...schemas, depth: 0 })
  return found
}

interface Step {
  old: unknown
  new: unknown
  at: string
  depth: number
}

type Report = (rule: string, name?: string) => void

function compareType(documents: Documents, pair: Pair, report: Report): void {
  const before = typeOf(documents.old, pair.old)
  if (before !== typeOf(documents.new, pair.new)) report('type changed')
  if (pair.old['format'] !== pair.new['format']) report('format changed')
}

/** A union whose branches are all of one type is of that type. */
function typeOf(document: Json, schema: Json): string {
  const own = JSON.stringify(schema['type'] ?? null)
  const branches = schema['oneOf'] ?? schema['anyOf']
  if (schema['type'] !== undefined || !Array.isArray(branches)) return own
  const types = new Set(branches.map((branch) => typeOf(document, resolve(document, branch))))
  const [only = own] = types
  return types.size === 1 ? only : own
}

function compareEnum(pair: Pair, direction: Direction, report: Report): void {
  const before = choices(pair.old)
  const after = choices(pair.new)
  if (direction === 'response' || after === null) return
  if (before === null || before.some((value) => !after.includes(value))) report('enum narrowed')
}

function compareDemands(pair: Pair, report: Report): void {
  for (const name of LOWER_IS_STRICTER) {
    const after = pair.new[name]
    if (typeof after !== 'number') continue
    if (after < Number(pair.old[name] ?? Number.POSITIVE_INFINITY)) report(`${name} lowered`)
  }
  for (const name of HIGHER_IS_STRICTER) {
    const after = pair.new[name]
    if (typeof after !== 'number') continue
    if (after > Number(pair.old[name] ?? Number.NEGATIVE_INFINITY)) report(`${name} raised`)
  }
  if (pair.new['pattern'] !== undefined && pair.new['pattern'] !== pair.old['pattern']) {
    report('pattern changed')
  }
}

function compareRequired(pair: Pair, direction: Direction, report: Report): void {
  const before = names(pair.old['required'])
  const after = names(pair.new['required'])
  if (direction === 'request') {
    for (const name of after) if (!before.includes(name)) report('now required', name)
    return
  }
  for (const name of before) {
    if (!after.includes(name) && propertiesOf(pair.new)[name] !== undefined) {
      report('no longer always present', name)
    }
  }
}

function compareProperties(pair: Pair, direction: Direction, report: Report): void {
  const after = propertiesOf(pair.new)
  const refusesUnknown = pair.new['additionalProperties'] === false
  for (const name of Object.keys(propertiesOf(pair.old))) {
    if (after[name] !== undefined) continue
    if (direction === 'response') report('field removed', name)
    else if (refusesUnknown) report('field no longer accepted', name)
  }
}

function descend(pair: Pair, visit: (step: Step) => void): void {
  const depth = pair.depth + 1
  const after = propertiesOf(pair.new)
  for (const [name, old] of Object.entries(propertiesOf(pair.old))) {
    const next = after[name]
    if (next !== undefined) visit({ old, new: next, at: `${pair.at}/${name}`, depth })
  }
  const [old, next] = [pair.old['items'], pair.new['items']]
  if (old && next) visit({ old, new: next, at: `${pair.at}/items`, depth })
}

function choices(schema: Json): unknown[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum']
  if ('const' in schema) return [schema['const']]
  const branches = schema['anyOf']
  if (!Array.isArray(branches)) return null
  const values = branches.map((branch: Json) => branch['const'])
  return values.every((value) => value !== undefined) ? values : null
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function propertiesOf(schema: Json): Json {
  return (schema['properties'] as Json | undefined) ?? {}
}

function resolve(document: Json, schema: unknown): Json {
  if (typeof schema !== 'object' || schema === null) return {}
  const { $ref } = schema as { $ref?: unknown }
  if (typeof $ref !== 'string') return schema as Json
  const steps = $ref.replace(/^#\//, '').split('/')
  const target = steps.reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document)
  return (target as Json | undefined) ?? {}
}
