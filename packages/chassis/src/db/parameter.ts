export type WireValue = string | Buffer | null

/**
 * The wire format of a JavaScript value. Arrays become Postgres arrays and plain objects JSON;
 * a JSON array must be passed as text: `${JSON.stringify(list)}::jsonb`.
 */
export function toParameter(value: unknown): WireValue {
  switch (typeof value) {
    case 'string':
      return value
    case 'undefined':
      return null
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? null : objectToParameter(value)
    case 'function':
    case 'symbol':
      throw new TypeError(`a ${typeof value} cannot be a query parameter`)
  }
}

function objectToParameter(value: object): WireValue {
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  return Array.isArray(value) ? toArrayLiteral(value) : JSON.stringify(value)
}

function toArrayLiteral(items: readonly unknown[]): string {
  return `{${items.map(toArrayItem).join(',')}}`
}

function toArrayItem(item: unknown): string {
  if (Array.isArray(item)) return toArrayLiteral(item)
  const value = toParameter(item)
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return `"\\\\x${value.toString('hex')}"`
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
