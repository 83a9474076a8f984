import { addDays, ID_PREFIXES, type IdPrefix, newId, todayIn } from '@melmastoon/domain'
import type { TSchema } from 'typebox'

type Json = Readonly<Record<string, unknown>>

const PREFIXES = Object.keys(ID_PREFIXES) as IdPrefix[]

/** A stay some weeks ahead, within the booking window of every hotel. */
export function sampleStay(now: Date) {
  const checkIn = addDays(todayIn('UTC', now), 40)
  return { checkIn, checkOut: addDays(checkIn, 2) }
}

/** One text per pattern of the contracts; ids are new, so they name nothing that exists. */
function knownTexts(now: Date): string[] {
  return [
    ...PREFIXES.map((prefix) => newId(prefix)),
    now.toISOString(),
    'AF',
    'en',
    '12:00',
    '#004433',
    '1000000',
    '+93700000000',
    '23456789',
    'code',
    'alerts.unknown',
    'tok_unknown',
    'phone_unknown',
    'https://example.com/return',
    'guest@example.com',
    `sha256:${'0'.repeat(64)}`,
    'A'.repeat(43),
  ]
}

/** The end of a range comes after its start. */
const LATER = new Set(['to', 'checkOut'])
/** Texts without a pattern that must still be valid. */
const BY_NAME: Readonly<Record<string, string>> = { domain: 'unknown.example' }

/** A value that the schema accepts, without optional members; its ids do not exist. */
export function sampleOf(schema: TSchema, now: Date): unknown {
  return sample(schema as Json, { now, texts: knownTexts(now) }, '')
}

interface Stock {
  readonly now: Date
  readonly texts: readonly string[]
}

function sample(schema: Json, stock: Stock, name: string): unknown {
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const [branch] = [schema['anyOf'], schema['oneOf']].flatMap((each) =>
    Array.isArray(each) ? each : [],
  )
  if (branch !== undefined) return sample(branch as Json, stock, name)
  switch (schema['type']) {
    case 'object':
      return sampleObject(schema, stock)
    case 'array':
      return sampleArray(schema, stock)
    case 'string':
      return sampleText(schema, stock, name)
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1) || 1
    case 'boolean':
      return true
    default:
      throw new TypeError(`no sample of ${JSON.stringify(schema).slice(0, 80)}`)
  }
}

function sampleObject(schema: Json, stock: Stock): Json {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>
  const required = (schema['required'] ?? []) as string[]
  const names = schema['minProperties'] === undefined ? required : Object.keys(properties)
  return Object.fromEntries(
    names.map((name) => [name, sample(properties[name] ?? {}, stock, name)]),
  )
}

function sampleArray(schema: Json, stock: Stock): unknown[] {
  const length = Math.max(Number(schema['minItems'] ?? 0), 0)
  return Array.from({ length }, () => sample(schema['items'] as Json, stock, ''))
}

function sampleText(schema: Json, { now, texts }: Stock, name: string): string {
  const { checkIn, checkOut } = sampleStay(now)
  const days = LATER.has(name) ? [checkOut] : [checkIn]
  if (typeof schema['pattern'] !== 'string') {
    return BY_NAME[name] ?? longEnough(Number(schema['minLength'] ?? 1))
  }
  const pattern = new RegExp(schema['pattern'], 'u')
  const found = [...days, ...texts].find((text) => pattern.test(text))
  if (found === undefined) throw new TypeError(`no sample of ${pattern.source}: add one`)
  return found
}

function longEnough(minLength: number): string {
  return 'unknown-'.repeat(Math.max(1, Math.ceil(minLength / 8)))
}
