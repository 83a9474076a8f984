import { LRUCache } from 'lru-cache'
import type { TSchema } from 'typebox'
import { findDrift } from './parse-response.ts'
import { scanObject } from './scan-object.ts'

/** A list in responses whose elements are mostly those of earlier responses. */
export interface RepeatedList {
  /** A member of the response: an array of objects. */
  readonly member: string
  /** Members of an element that differ between responses. An element ends with them. */
  readonly varying: readonly string[]
}

/** More than a process shows in an hour. */
const ELEMENTS_MAX = 5_000
const KEY_LENGTH_MAX = 128

interface KnownElement {
  /** The element up to its varying members, without the closing brace. */
  readonly bytes: Buffer
  /** The same, parsed; it is part of many values. */
  readonly part: object
}

const parts = new WeakMap<object, object>()

/** The part of an element that earlier responses had, too: the same object whenever it is equal. */
export function knownPartOf(element: object): object | undefined {
  return parts.get(element)
}

const lists = new WeakMap<RepeatedList, KnownList>()

/**
 * The value of a response, of which known elements are neither parsed nor checked again: their
 * bytes were, with the same result. Undefined for every text that does not have the expected form,
 * or violates the contract: then it is read as a whole.
 */
export function readRepeatedList(
  schema: TSchema,
  repeats: RepeatedList,
  bytes: Buffer,
): object | undefined {
  const list = lists.get(repeats) ?? new KnownList(schema, repeats)
  lists.set(repeats, list)
  return list.read(bytes)
}

/** Members before the list have plain values, so that the list is one of the outermost object. */
const PLAIN_MEMBERS = /^\{(?:"\w+":(?:-?[\d.]+|true|false|null|"[^"\\]*"),)*$/

const COMMA = 0x2c
const BRACE_OPEN = 0x7b
const BRACE_CLOSE = 0x7d
const BRACKET_CLOSE = 0x5d

class KnownList {
  readonly #schema: TSchema
  readonly #elementSchema: ObjectSchema
  readonly #varyingSchema: TSchema
  readonly #varying: ReadonlySet<string>
  readonly #member: string
  readonly #opening: string
  readonly #known = new LRUCache<string, KnownElement>({ max: ELEMENTS_MAX })

  constructor(schema: TSchema, { member, varying }: RepeatedList) {
    this.#schema = schema
    this.#member = member
    this.#opening = `"${member}":[`
    this.#varying = new Set(varying)
    this.#elementSchema = elementSchemaOf(schema, member)
    this.#varyingSchema = pick(this.#elementSchema, this.#varying)
  }

  read(bytes: Buffer): object | undefined {
    const from = bytes.indexOf(this.#opening)
    if (from === -1 || !PLAIN_MEMBERS.test(bytes.toString('latin1', 0, from))) return undefined
    const found = this.#readElements(bytes, from + this.#opening.length)
    if (found === undefined) return undefined
    // A second list of this name would be the one that counts.
    if (bytes.includes(`"${this.#member}":`, found.end)) return undefined
    const opening = bytes.toString('utf8', 0, from + this.#opening.length)
    const value = parse(`${opening}${bytes.toString('utf8', found.end)}`)
    if (value === undefined || findDrift(this.#schema, value) !== null) return undefined
    return Object.assign(value, { [this.#member]: found.elements })
  }

  /** @returns the elements, and the position of the bracket that closes the list. */
  #readElements(bytes: Buffer, from: number) {
    const elements: object[] = []
    if (bytes[from] === BRACKET_CLOSE) return { elements, end: from }
    for (let at = from; ; at += 1) {
      const read = bytes[at] === BRACE_OPEN ? this.#readElement(bytes, at) : undefined
      if (read === undefined) return undefined
      elements.push(read.element)
      at = read.end
      if (bytes[at] === BRACKET_CLOSE) return { elements, end: at }
      if (bytes[at] !== COMMA) return undefined
    }
  }

  #readElement(bytes: Buffer, at: number) {
    const key = keyAt(bytes, at)
    const known = key === undefined ? undefined : this.#known.get(key)
    const read = known && this.#readKnown(bytes, at, known)
    return read ?? this.#readNew(bytes, at, key)
  }

  /** The element begins with the known bytes, and continues with varying members only. */
  #readKnown(bytes: Buffer, at: number, known: KnownElement) {
    const cut = at + known.bytes.length
    if (cut >= bytes.length) return undefined
    if (bytes.compare(known.bytes, 0, known.bytes.length, at, cut) !== 0) return undefined
    if (bytes[cut] !== COMMA && bytes[cut] !== BRACE_CLOSE) return undefined
    const scanned = scanObject(bytes, cut, this.#varying)
    if (scanned === null) return undefined
    const varying = this.#parseVarying(bytes, cut, scanned.end)
    if (varying === undefined) return undefined
    return { element: this.#join(known.part, varying), end: scanned.end }
  }

  #parseVarying(bytes: Buffer, cut: number, end: number): object | undefined {
    const hasSome = bytes[cut] === COMMA
    const value = parse(hasSome ? `{${bytes.toString('utf8', cut + 1, end)}` : '{}')
    if (value === undefined || !Object.keys(value).every((name) => this.#varying.has(name))) {
      return undefined
    }
    return findDrift(this.#varyingSchema, value) === null ? value : undefined
  }

  #readNew(bytes: Buffer, at: number, key: string | undefined) {
    const scanned = scanObject(bytes, at + 1, this.#varying)
    if (scanned === null) return undefined
    const { cut, end } = scanned
    const whole = parse(bytes.toString('utf8', at, end))
    if (whole === undefined || findDrift(this.#elementSchema, whole) !== null) return undefined
    const part = parse(`${bytes.toString('utf8', at, cut)}}`)
    const varying = this.#parseVarying(bytes, cut, end)
    if (part === undefined || varying === undefined || key === undefined) {
      return { element: whole, end }
    }
    deepFreeze(part)
    // A copy: the response would stay in memory as a whole.
    this.#known.set(key, { bytes: Buffer.from(bytes.subarray(at, cut)), part })
    return { element: this.#join(part, varying), end }
  }

  #join(part: object, varying: object): object {
    const element = { ...part, ...varying }
    parts.set(element, part)
    return element
  }
}

/** The first member, which identifies an element. */
function keyAt(bytes: Buffer, at: number): string | undefined {
  const end = bytes.indexOf(COMMA, at)
  return end === -1 || end - at > KEY_LENGTH_MAX ? undefined : bytes.toString('latin1', at, end)
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

interface ObjectSchema extends TSchema {
  readonly properties: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

const ARRAY_MEMBERS: ReadonlySet<string> = new Set(['type', 'items', 'description'])
const OBJECT_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'description',
])

/**
 * Elements are checked one by one and their members in two groups, so that neither the list nor an
 * element may have a condition of its own.
 */
function elementSchemaOf(schema: TSchema, member: string): ObjectSchema {
  const { properties = {} } = schema as Partial<ObjectSchema>
  const list = properties[member] as { readonly items?: Partial<ObjectSchema> } | undefined
  const items = list?.items
  const isPlain = hasOnly(list, ARRAY_MEMBERS) && hasOnly(items, OBJECT_MEMBERS)
  if (items?.properties === undefined || !isPlain) {
    throw new TypeError(`${member} must be a list of objects without further conditions`)
  }
  return items as ObjectSchema
}

function hasOnly(schema: object | undefined, names: ReadonlySet<string>): boolean {
  return Object.keys(schema ?? {}).every((name) => names.has(name))
}

/** The schema of an object that has only these members. */
function pick({ properties, required = [] }: ObjectSchema, names: ReadonlySet<string>): TSchema {
  const picked = Object.entries(properties).filter(([name]) => names.has(name))
  return {
    type: 'object',
    properties: Object.fromEntries(picked),
    required: required.filter((name) => names.has(name)),
  } as TSchema
}

function deepFreeze(value: object): void {
  Object.freeze(value)
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object)
  }
}
