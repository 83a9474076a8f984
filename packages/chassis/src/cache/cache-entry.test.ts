import { describe, expect, it } from 'vitest'
import { type CacheEntry, makeEntry } from './cache-entry.ts'
import type { CacheKey } from './cache-key.ts'
import { memoizeDecoded } from './decoded-copies.ts'
import { createL1 } from './l1-store.ts'

const lifetime = { createdAtMs: 0, softExpiryMs: 1, staleUntilMs: 1, hardExpiryMs: 1, loadMs: 1 }
const BODY = Buffer.from(JSON.stringify(Array.from({ length: 3_000 }, (_, id) => ({ id }))))

function entryOf(body = BODY): Promise<CacheEntry> {
  const source = { body, status: 200, headers: {}, facts: {}, lifetime }
  return makeEntry(source, { compress: true })
}

function sendBrotli(entry: CacheEntry): void {
  expect(entry.brotli?.length).toBeGreaterThan(0)
  entry.wantBrotli()
}

describe('the size of an entry', () => {
  const parse = memoizeDecoded((bytes) => JSON.parse(bytes.toString()) as object)
  const readText = memoizeDecoded((bytes) => bytes.toString('latin1'), 1)

  it('includes the copies that were decoded from its forms, until the form is dropped', async () => {
    const entry = await entryOf(Buffer.from(BODY))
    const before = entry.footprintBytes
    const { body } = entry
    expect(parse(body)).toBe(parse(body))
    expect(entry.footprintBytes).toBe(before + 3 * BODY.length)
    readText(body)
    expect(entry.footprintBytes).toBe(before + 4 * BODY.length)
    const other = await entryOf(Buffer.from(BODY))
    sendBrotli(other)
    readText(other.brotli ?? body)
    const withoutCopy = await entryOf(Buffer.from(BODY))
    sendBrotli(withoutCopy)
    const { length = 0 } = other.brotli ?? {}
    expect(other.footprintBytes).toBe(withoutCopy.footprintBytes + length)
  })

  it('evicts others when a copy makes it larger', async () => {
    const store = createL1(3 * BODY.length)
    const [first, second] = [await entryOf(Buffer.from(BODY)), await entryOf(Buffer.from('small'))]
    store.set('first' as CacheKey, first)
    store.set('second' as CacheKey, second)
    expect(store.get('first' as CacheKey)).toBe(first)
    const before = store.bytes
    readText(first.body)
    expect(store.bytes).toBe(before + BODY.length)
    parse(first.body)
    expect(store.bytes).toBeLessThanOrEqual(3 * BODY.length)
    expect(store.get('first' as CacheKey)).toBeUndefined()
  })
})

describe('the plain form of an entry', () => {
  it('is dropped when clients receive brotli and nobody reads it', async () => {
    const entry = await entryOf()
    expect(entry.footprintBytes).toBeGreaterThan(BODY.length)
    sendBrotli(entry)
    expect(entry.footprintBytes).toBeLessThan(BODY.length / 2)
  })

  it('stays when somebody reads it, before or after', async () => {
    const [before, after] = [await entryOf(), await entryOf()]
    expect(before.body.equals(BODY)).toBe(true)
    sendBrotli(before)
    sendBrotli(after)
    const restored = after.body
    expect(restored.equals(BODY)).toBe(true)
    sendBrotli(after)
    for (const entry of [before, after]) expect(entry.footprintBytes).toBeGreaterThan(BODY.length)
    expect(after.body).toBe(restored)
  })

  it('is the only one of a body that does not compress', async () => {
    const entry = await entryOf(Buffer.from('small'))
    entry.wantBrotli()
    expect([entry.brotli, entry.gzip, entry.body.toString()]).toEqual([
      undefined,
      undefined,
      'small',
    ])
  })

  it('is the same as before in every other form', async () => {
    const entry = await entryOf()
    sendBrotli(entry)
    expect(entry.gzip?.length).toBeGreaterThan(0)
    expect(entry.stored.encoding).toBe('zstd')
    expect(entry.body.equals(BODY)).toBe(true)
  })
})

describe('the entries of a process', () => {
  const keyOf = (id: number) => `key ${id}` as CacheKey

  it('need a fraction of the memory when clients receive brotli', async () => {
    const l1 = createL1(10 * BODY.length)
    const entry = await entryOf()
    l1.set(keyOf(1), entry)
    const before = l1.bytes
    sendBrotli(entry)
    expect(l1.bytes).toBeLessThan(before / 2)
    expect([l1.get(keyOf(1)), entry.body.equals(BODY)]).toEqual([entry, true])
    expect(l1.bytes).toBeGreaterThan(BODY.length)
  })

  it('stay within their bound when forms are added later', async () => {
    const maxBytes = 3 * BODY.length
    const l1 = createL1(maxBytes)
    const entries = await Promise.all(Array.from({ length: 12 }, () => entryOf()))
    for (const [id, entry] of entries.entries()) {
      sendBrotli(entry)
      l1.set(keyOf(id), entry)
    }
    expect(entries.filter((_, id) => l1.get(keyOf(id)) !== undefined).length).toBeGreaterThan(3)
    for (const entry of entries) {
      expect([entry.body.length, l1.bytes <= maxBytes]).toEqual([BODY.length, true])
    }
    expect(entries.filter((_, id) => l1.get(keyOf(id)) !== undefined).length).toBeLessThan(4)
  })

  it('control: an entry that was replaced does not count', async () => {
    const l1 = createL1(10 * BODY.length)
    const [old, current] = [await entryOf(), await entryOf()]
    l1.set(keyOf(1), old)
    l1.set(keyOf(1), current)
    const { bytes } = l1
    sendBrotli(old)
    expect([l1.bytes, l1.get(keyOf(1))]).toEqual([bytes, current])
  })
})

describe('an entry that is never sent as it is', () => {
  const unsent = (body: Buffer) =>
    makeEntry(
      { body, status: 200, headers: {}, facts: {}, lifetime },
      { compress: true, isSent: false },
    )

  it('has no tag, and is stored as it is', async () => {
    const [entry, sent] = [await unsent(BODY), await entryOf()]
    expect([entry.fields.etag, entry.stored.encoding]).toEqual(['', 'id'])
    expect(entry.stored.bytes.equals(BODY)).toBe(true)
    expect([sent.fields.etag.slice(0, 3), sent.stored.encoding]).toEqual(['W/"', 'zstd'])
  })

  it('is compressed when it is large', async () => {
    const large = Buffer.alloc(64 * 1_024, 'x')
    expect((await unsent(large)).stored.encoding).toBe('zstd')
    expect((await unsent(large.subarray(1))).stored.encoding).toBe('id')
  })
})
