import { asSchema, type JsonSchema, propertiesOf, schemaList } from './schema-walk.ts'

/** Texts for readers: they may change freely. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  '$comment',
  'examples',
  'default',
  'deprecated',
])
const LOWER_BOUNDS = new Set([
  'minLength',
  'minimum',
  'minItems',
  'exclusiveMinimum',
  'minProperties',
])
const UPPER_BOUNDS = new Set([
  'maxLength',
  'maximum',
  'maxItems',
  'exclusiveMaximum',
  'maxProperties',
])
const STRUCTURE = new Set(['properties', 'required', 'items', 'anyOf', 'enum'])

/**
 * Breaking changes from one schema of a version to the next; empty when the change is additive.
 * Additive means both that events written under the old schema stay valid (replay) and that a
 * reader of the old fields still finds them. A keyword that this function does not know may not
 * change. An API binds each side in one direction only, so its documents have a comparison of their
 * own, `diffOpenApi`.
 */
export function diffSchemas(before: unknown, after: unknown): string[] {
  return diff(asSchema(plain(before)) ?? {}, asSchema(plain(after)) ?? {}, '')
}

function diff(before: JsonSchema, after: JsonSchema, path: string): string[] {
  return [
    ...diffProperties(before, after, path),
    ...diffRequired(before, after, path),
    ...diffItems(before, after, path),
    ...diffVariants(before, after, path),
    ...diffEnum(before, after, path),
    ...diffKeywords(before, after, path),
  ]
}

function diffProperties(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const remaining = new Map(propertiesOf(after))
  return propertiesOf(before).flatMap(([name, schema]) => {
    const next = remaining.get(name)
    return next === undefined ? [`${path}/${name}: removed`] : diff(schema, next, `${path}/${name}`)
  })
}

function diffRequired(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const [old, next] = [namesOf(before['required']), namesOf(after['required'])]
  return [
    ...next.filter((name) => !old.includes(name)).map((name) => `${path}/${name}: newly required`),
    ...old.filter((name) => !next.includes(name)).map((name) => `${path}/${name}: now optional`),
  ]
}

function diffItems(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const [old, next] = [asSchema(before['items']), asSchema(after['items'])]
  if (old !== null && next !== null) return diff(old, next, `${path}/*`)
  return old === next ? [] : [`${path}/*: item schema added or removed`]
}

function diffVariants(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const [old, next] = [schemaList(before['anyOf']), schemaList(after['anyOf'])]
  if (old.length !== next.length) return [`${path}: type changed`]
  return old.flatMap((variant, index) => diff(variant, next[index] ?? {}, path))
}

/** A new value is additive; a removed one makes stored events invalid. */
function diffEnum(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const [old, next] = [before['enum'], after['enum']]
  if (!Array.isArray(old) && !Array.isArray(next)) return []
  if (!Array.isArray(old) || !Array.isArray(next)) return [`${path}: enum added or removed`]
  return old
    .filter((value) => !next.includes(value))
    .map((value) => `${path}: enum lost ${JSON.stringify(value)}`)
}

function diffKeywords(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keywords].flatMap((keyword) => {
    if (ANNOTATIONS.has(keyword) || STRUCTURE.has(keyword)) return []
    const [old, next] = [before[keyword], after[keyword]]
    if (canonical(old) === canonical(next) || isLooser(keyword, old, next)) return []
    return [`${path}: ${keyword} changed`]
  })
}

function isLooser(keyword: string, old: unknown, next: unknown): boolean {
  if (!LOWER_BOUNDS.has(keyword) && !UPPER_BOUNDS.has(keyword)) return false
  if (typeof old !== 'number') return false
  if (next === undefined) return true
  return typeof next === 'number' && (LOWER_BOUNDS.has(keyword) ? next < old : next > old)
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

function plain(schema: unknown): unknown {
  return schema === undefined ? undefined : JSON.parse(JSON.stringify(schema))
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    const object = asSchema(part)
    return object === null ? part : Object.fromEntries(Object.entries(object).toSorted(byName))
  })
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
