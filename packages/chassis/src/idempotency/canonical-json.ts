import { problem } from '@melmastoon/domain'

/** Deeper documents are rejected before the recursion could exhaust the stack. */
const DEPTH_MAX = 128

/**
 * RFC 8785: members sorted by UTF-16 code units, no whitespace, numbers and strings exactly as
 * ECMAScript writes them. Two texts that parse to the same value have the same canonical form.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return writeNumber(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : writeComposite(value, depth + 1)
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      throw new TypeError(`${typeof value} has no JSON form`)
  }
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('a number without JSON form')
  return JSON.stringify(value)
}

function writeComposite(value: object, depth: number): string {
  if (depth > DEPTH_MAX) {
    throw problem('MELMASTOON.GENERAL.MALFORMED_BODY', { detail: 'The body is nested too deeply.' })
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth)).join(',')}]`
  return writeObject(value as Record<string, unknown>, depth)
}

function writeObject(value: Record<string, unknown>, depth: number): string {
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${write(member, depth)}`
  }
  return `{${text}}`
}
