import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CacheEntry, makeEntry } from './cache-entry.ts'
import { decodeFrame, encodeFrame, frameWriteId } from './frame.ts'

const lifetime = {
  createdAtMs: 1_000,
  softExpiryMs: 2_000,
  staleUntilMs: 3_000,
  hardExpiryMs: 4_000,
  loadMs: 17,
}

function entryOf(body: Buffer, form?: 'br'): Promise<CacheEntry> {
  const headers = { 'content-type': 'application/json', 'content-language': 'ps-AF' }
  const facts = { total: 214, untilMs: null, whole: true, note: 'stored, not sent' }
  const options = { compress: true, ...(form && { form }) }
  return makeEntry({ body, status: 200, headers, facts, lifetime }, options)
}

describe('frame', () => {
  it('restores every entry unchanged', async () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'grapheme', maxLength: 3_000 }).map((text) => Buffer.from(text.repeat(3))),
    )
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const entry = await entryOf(body)
        const back = decodeFrame(encodeFrame(entry))
        expect(back?.fields).toEqual(entry.fields)
        expect(back?.body.equals(body)).toBe(true)
        expect(back?.brotli).toEqual(entry.brotli)
        expect(back?.gzip).toEqual(entry.gzip)
      }),
      { numRuns: 100 },
    )
  })

  it('reads entries in brotli, as earlier releases and other processes write them', async () => {
    const body = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at }))))
    const [zstd, brotli] = [await entryOf(body), await entryOf(body, 'br')]
    expect([zstd.stored.encoding, brotli.stored.encoding]).toEqual(['zstd', 'br'])
    for (const entry of [zstd, brotli]) {
      const back = decodeFrame(encodeFrame(entry))
      expect(back?.stored).toEqual(entry.stored)
      expect(back?.body.equals(body)).toBe(true)
      expect(brotliDecompressSync(back?.brotli ?? '').equals(body)).toBe(true)
    }
  })

  it('treats an unknown compression as a miss', async () => {
    const frame = encodeFrame(await entryOf(Buffer.from('{"a":1}'.repeat(1_000))))
    const at = frame.indexOf('"z":"zstd"')
    expect(at).toBeGreaterThan(0)
    frame.write('"z":"lz99"', at)
    expect(decodeFrame(frame)).toBeNull()
  })

  it('stores small and incompressible bodies plain, and larger ones only compressed', async () => {
    const small = await entryOf(Buffer.from('{"a":1}'))
    expect([small.brotli, small.gzip]).toEqual([undefined, undefined])
    const large = await entryOf(Buffer.from('{"a":1}'.repeat(1_000)))
    expect(encodeFrame(large).length).toBeLessThan(600)
  })

  it('has a different write id for each write, at the offset that the lease script reads', async () => {
    const [one, two] = [await entryOf(Buffer.from('x')), await entryOf(Buffer.from('x'))]
    expect(frameWriteId(encodeFrame(one))).toBe(one.fields.writeId)
    expect(one.fields.writeId).not.toBe(two.fields.writeId)
    expect(one.fields.etag).toBe(two.fields.etag)
  })

  it('treats invalid and truncated frames as a miss', async () => {
    const whole = encodeFrame(await entryOf(Buffer.from('{"a":1}')))
    const wrongFormat = Buffer.from(whole)
    wrongFormat[0] = 9
    const longHeader = Buffer.from(whole)
    longHeader.writeUInt32BE(0xffffffff, 9)
    const cuts = [0, 5, 12, 13, 40, whole.length - 1].map((end) => whole.subarray(0, end))
    for (const bytes of [wrongFormat, longHeader, ...cuts]) expect(decodeFrame(bytes)).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeFrame(Buffer.from(bytes))).toBeNull()
      }),
    )
  })

  it('creates a smaller form when it is requested again', async () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `${at % 7} and ${at % 11}`)
    const back = decodeFrame(encodeFrame(await entryOf(Buffer.from(JSON.stringify(words)))))
    const quick = back?.brotli?.length ?? 0
    back?.wantBrotli()
    back?.wantBrotli()
    await expect.poll(() => back?.brotli?.length).toBeLessThan(quick)
    expect(back?.body.toString()).toBe(JSON.stringify(words))
  })

  it('compresses a body that is too large for synchronous compression without loss', async () => {
    const body = Buffer.from('{"a":1}'.repeat(40_000))
    const back = decodeFrame(encodeFrame(await entryOf(body)))
    expect(back?.brotli?.length).toBeLessThan(body.length)
    expect(back?.body.equals(body)).toBe(true)
  })
})
