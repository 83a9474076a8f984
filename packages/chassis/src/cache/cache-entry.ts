import { hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzipSync, gzip, gzipSync } from 'node:zlib'
import type { Lifetime } from './freshness.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Below this a compressed form saves less than its headers cost. */
const COMPRESSED_BYTES_MIN = 1_024
/**
 * Every entry pays for its first compression, most are never asked for again: the quickest gzip
 * takes a tenth of what brotli takes. What is asked for again is worth brotli 5; 9 and above cost
 * several milliseconds.
 */
const GZIP_LEVEL = 1
const BROTLI_QUALITY = 5
/** Up to here gzip takes less time than handing the work to another thread and back. */
const GZIP_AT_ONCE_BYTES_MAX = 128 * 1024
const OVERHEAD_BYTES = 512

export type EntryFacts = Readonly<Record<string, string | number | boolean | null>>

export interface EntryFields extends Lifetime {
  /** Changes with every write, so that a reader can tell a newer entry from the one it saw. */
  readonly writeId: string
  readonly status: number
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly facts: EntryFacts
  readonly rawSize: number
}

interface EntryForms {
  body?: Buffer | undefined
  gzip?: Buffer | undefined
}

/** Bytes ready to send. An entry read from Redis has one form; the others appear on demand. */
export class CacheEntry {
  readonly fields: EntryFields
  readonly gzip: Buffer | undefined
  brotli: Buffer | undefined
  /** Set after a failed refresh: until then what is stale is served without asking again. */
  retryNotBeforeMs = 0
  #body: Buffer | undefined
  #wanted = 0

  constructor(fields: EntryFields, forms: EntryForms) {
    this.fields = fields
    this.#body = forms.body
    this.gzip = forms.gzip
  }

  get body(): Buffer {
    this.#body ??= gunzipSync(this.gzip ?? Buffer.alloc(0), {
      maxOutputLength: this.fields.rawSize,
    })
    return this.#body
  }

  /** What this entry may come to weigh with all its forms, so that L1 is bounded for good. */
  get footprintBytes(): number {
    return this.fields.rawSize + 2 * (this.gzip?.length ?? 0) + OVERHEAD_BYTES
  }

  /**
   * Somebody could read the brotli form. From the second time on this process asks for it, it is
   * made in the background; compression never happens while sending.
   */
  wantBrotli(): void {
    this.#wanted += 1
    if (this.#wanted !== 2 || this.gzip === undefined) return
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: this.fields.rawSize,
    }
    compressBrotli(this.body, { params }).then(
      (bytes) => {
        this.brotli = bytes
      },
      () => undefined,
    )
  }
}

interface EntrySource {
  body: Buffer
  status: number
  headers: Readonly<Record<string, string>>
  facts: EntryFacts
  lifetime: Lifetime
}

export async function makeEntry(
  source: EntrySource,
  { compress }: { compress: boolean },
): Promise<CacheEntry> {
  const { body, status, headers, facts, lifetime } = source
  const fields: EntryFields = {
    ...lifetime,
    writeId: randomBytes(6).toString('base64url'),
    status,
    // Weak, because one tag stands for three encodings of the same content (RFC 9110 §8.8.3.3).
    etag: `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    headers,
    facts,
    rawSize: body.length,
  }
  if (!compress || body.length < COMPRESSED_BYTES_MIN) return new CacheEntry(fields, { body })
  const gzipped = await compressQuickly(body)
  return new CacheEntry(fields, gzipped.length < body.length ? { body, gzip: gzipped } : { body })
}

async function compressQuickly(body: Buffer): Promise<Buffer> {
  const options = { level: GZIP_LEVEL }
  return body.length <= GZIP_AT_ONCE_BYTES_MAX
    ? gzipSync(body, options)
    : compressGzip(body, options)
}
