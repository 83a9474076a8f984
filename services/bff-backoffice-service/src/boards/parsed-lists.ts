import { LRUCache } from 'lru-cache'

/** Of the JSON that the lists were parsed from; parsed they take several times as much. */
const BYTES_MAX = 8 * 1024 * 1024

const lists = new LRUCache<Buffer, readonly unknown[]>({
  maxSize: BYTES_MAX,
  sizeCalculation: (_items, body) => body.length + 1,
})

/** The body of a cache entry, and the list that later reads of it return. */
export function storeList(items: readonly unknown[]): Buffer {
  const text = JSON.stringify(items)
  // Not from the pool, which the entry would keep in memory as a whole.
  const body = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  body.write(text)
  lists.set(body, items)
  return body
}

/** Several widgets and boards are composed of one list: it is parsed once per process. */
export function parseList<T>(body: Buffer): readonly T[] {
  const known = lists.get(body)
  if (known !== undefined) return known as readonly T[]
  const items = JSON.parse(body.toString()) as readonly T[]
  lists.set(body, items)
  return items
}
