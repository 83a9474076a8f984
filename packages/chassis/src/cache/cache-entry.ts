import { hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gzip,
  gzipSync,
} from 'node:zlib'
import type { Lifetime } from './freshness.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Below this a compressed form saves less than its headers cost. */
const COMPRESSED_BYTES_MIN = 1_024
/**
 * Every entry is compressed once, and most are never requested again: the fastest brotli compresses
 * as well as the fastest gzip in half the time. An entry that is requested again is recompressed
 * with brotli 5; levels of 9 and above take several milliseconds.
 */
const QUICK_QUALITY = 1
const SMALL_QUALITY = 5
const GZIP_LEVEL = 1
/** Up to this size, compressing costs less than passing the work to another thread. */
const SYNC_BYTES_MAX = 128 * 1024
const OVERHEAD_BYTES = 512

export type EntryFacts = Readonly<Record<string, string | number | boolean | null>>

export interface EntryFields extends Lifetime {
  /** Changes with every write, so that a reader recognizes an entry it has not seen. */
  readonly writeId: string
  readonly status: number
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly facts: EntryFacts
  readonly rawSize: number
}

interface EntryForms {
  body?: Buffer | undefined
  brotli?: Buffer | undefined
}

/** Bytes ready to send. An entry read from Redis has one form; the others appear on demand. */
export class CacheEntry {
  readonly fields: EntryFields
  /** Set after a failed refresh: until then the stale entry is served without another attempt. */
  retryNotBeforeMs = 0
  #body: Buffer | undefined
  #brotli: Buffer | undefined
  #gzip: Buffer | undefined
  #isMakingGzip = false
  #wanted = 0

  constructor(fields: EntryFields, forms: EntryForms) {
    this.fields = fields
    this.#body = forms.body
    this.#brotli = forms.brotli
  }

  get body(): Buffer {
    this.#body ??= brotliDecompressSync(this.#brotli ?? Buffer.alloc(0), {
      maxOutputLength: this.fields.rawSize,
    })
    return this.#body
  }

  /** Undefined for bodies that are too small or do not compress. */
  get brotli(): Buffer | undefined {
    return this.#brotli
  }

  /** For the few clients without brotli; created on first use. */
  get gzip(): Buffer | undefined {
    if (this.#brotli === undefined || this.#gzip !== undefined) return this.#gzip
    const options = { level: GZIP_LEVEL }
    if (this.fields.rawSize <= SYNC_BYTES_MAX) this.#gzip = gzipSync(this.body, options)
    else if (!this.#isMakingGzip) {
      this.#isMakingGzip = true
      const made = (bytes: Buffer) => {
        this.#gzip = bytes
      }
      compressGzip(this.body, options).then(made, () => undefined)
    }
    return this.#gzip
  }

  /** The maximum size of this entry with all its encodings, so that L1 stays bounded. */
  get footprintBytes(): number {
    return this.fields.rawSize + 3 * (this.#brotli?.length ?? 0) + OVERHEAD_BYTES
  }

  /**
   * Call when the brotli form is sent. When this process sends it for the second time, a smaller
   * one is created in the background.
   */
  wantBrotli(): void {
    this.#wanted += 1
    if (this.#wanted !== 2 || this.#brotli === undefined) return
    compressBrotli(this.body, brotliOptions(SMALL_QUALITY, this.fields.rawSize)).then(
      (bytes) => {
        this.#brotli = bytes
      },
      () => undefined,
    )
  }
}

function brotliOptions(quality: number, size: number) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: size } }
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
    // Weak, because one tag identifies three encodings of the same content (RFC 9110 §8.8.3.3).
    etag: `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    headers,
    facts,
    rawSize: body.length,
  }
  if (!compress || body.length < COMPRESSED_BYTES_MIN) return new CacheEntry(fields, { body })
  const brotli = await compressQuickly(body)
  return new CacheEntry(fields, brotli.length < body.length ? { body, brotli } : { body })
}

async function compressQuickly(body: Buffer): Promise<Buffer> {
  const options = brotliOptions(QUICK_QUALITY, body.length)
  return body.length <= SYNC_BYTES_MAX
    ? brotliCompressSync(body, options)
    : compressBrotli(body, options)
}
