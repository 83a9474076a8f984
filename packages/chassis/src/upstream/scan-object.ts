/** Where an object of a JSON text ends, and where the first of some members begins. */
export interface ScannedObject {
  /** After the closing brace. */
  readonly end: number
  /** Of the comma before the first such member, or of the closing brace. */
  readonly cut: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

/**
 * Walks through the members of an object. Null where the text ends before the object does; whether
 * it is valid JSON is not checked.
 * @param from after the opening brace, or where a member of the object ends.
 */
export function scanObject(
  bytes: Buffer,
  from: number,
  names: ReadonlySet<string>,
): ScannedObject | null {
  let depth = 1
  let cut = -1
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
      if (at === -1) return null
    } else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) {
      depth -= 1
      if (depth === 0) return { end: at + 1, cut: cut === -1 ? at : cut }
    } else if (byte === COMMA && depth === 1 && cut === -1 && names.has(nameAt(bytes, at + 1))) {
      cut = at
    }
  }
  return null
}

/** The position of the closing quote; -1 without one. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1
    else if (bytes[at] === QUOTE) return at
  }
  return -1
}

/** Of a member without escapes in its name. */
function nameAt(bytes: Buffer, from: number): string {
  if (bytes[from] !== QUOTE) return ''
  return bytes.toString('latin1', from + 1, Math.max(0, endOfString(bytes, from)))
}
