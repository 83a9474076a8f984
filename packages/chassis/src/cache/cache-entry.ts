import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { type BytesOwner, copyBytesOf, setOwner } from './decoded-copies.ts'
import type { Lifetime } from './freshness.ts'
import { newWriteId } from './write-id.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Below this a compressed form saves less than its headers cost. */
const COMPRESSED_BYTES_MIN = 1_024
/** Of an entry that stays in the data centre: compressing it costs more than moving it. */
const UNSENT_COMPRESSED_BYTES_MIN = 64 * 1_024
/**
 * Every entry is compressed once for Redis, and most are never requested again: zstd takes a
 * quarter of the time of the fastest brotli. Where clients take brotli it is made first, because
 * other processes can send what they find. An entry that is requested again is recompressed with
 * brotli 5; levels of 9 and above take several milliseconds.
 */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
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

/** At least one of them. */
interface EntryForms {
  body?: Buffer | undefined
  zstd?: Buffer | undefined
  brotli?: Buffer | undefined
}

/** The form that is stored in Redis: plain only for bodies that are not compressed at all. */
export interface StoredForm {
  readonly encoding: 'zstd' | 'br' | 'id'
  readonly bytes: Buffer
}

/** Whether clients receive entries of a cache as brotli; one for all its entries. */
export interface BrotliUse {
  isSent: boolean
}

/**
 * Bytes ready to send. An entry has one or two forms at first; the others appear on demand, and
 * the plain one disappears when clients take compressed ones only.
 */
export class CacheEntry implements BytesOwner {
  readonly fields: EntryFields
  /** Set after a failed refresh: until then the stale entry is served without another attempt. */
  retryNotBeforeMs = 0
  /** Set when a reader that cannot refresh the entry has found that it should be. */
  isRefreshDue = false
  /** Called when its size in memory has changed. */
  onResize: (() => void) | null = null
  /** Of its cache. */
  brotliUse: BrotliUse | null = null
  #body: Buffer | undefined
  #zstd: Buffer | undefined
  #brotli: Buffer | undefined
  #gzip: Buffer | undefined
  #isReadPlain = false
  #isMakingGzip = false
  #wanted = 0

  constructor(fields: EntryFields, forms: EntryForms) {
    this.fields = fields
    this.#body = forms.body
    this.#zstd = forms.zstd
    this.#brotli = forms.brotli
    for (const form of this.#forms()) setOwner(form, this)
  }

  /** From its first use on it stays in memory. */
  get body(): Buffer {
    this.#isReadPlain = true
    if (this.#body === undefined) {
      this.#body = this.#own(trimmed(this.#plain()))
      this.onResize?.()
    }
    return this.#body
  }

  /** Undefined for bodies that are too small or do not compress; created on first use. */
  get brotli(): Buffer | undefined {
    if (this.#brotli !== undefined || this.#zstd === undefined) return this.#brotli
    // Only bodies that are small enough for this thread are stored as zstd.
    const options = brotliOptions(QUICK_QUALITY, this.fields.rawSize)
    this.#setBrotli(brotliCompressSync(this.#plain(), options))
    return this.#brotli
  }

  /** For the few clients without brotli; created on first use. */
  get gzip(): Buffer | undefined {
    const isCompressed = this.#zstd !== undefined || this.#brotli !== undefined
    if (!isCompressed || this.#gzip !== undefined) return this.#gzip
    const options = { level: GZIP_LEVEL }
    if (this.fields.rawSize <= SYNC_BYTES_MAX) this.#setGzip(gzipSync(this.#plain(), options))
    else if (!this.#isMakingGzip) {
      this.#isMakingGzip = true
      compressGzip(this.#plain(), options).then(
        (bytes) => this.#setGzip(bytes),
        () => undefined,
      )
    }
    return this.#gzip
  }

  get stored(): StoredForm {
    if (this.#zstd !== undefined) return { encoding: 'zstd', bytes: this.#zstd }
    if (this.#brotli !== undefined) return { encoding: 'br', bytes: this.#brotli }
    return { encoding: 'id', bytes: this.#plain() }
  }

  /** The size of all forms that it has now, and of the copies that were made of them. */
  get footprintBytes(): number {
    return this.#forms().reduce(
      (total, form) => total + form.length + copyBytesOf(form),
      OVERHEAD_BYTES,
    )
  }

  onCopy(): void {
    this.onResize?.()
  }

  /**
   * Call when the brotli form is sent. Unless somebody reads the plain form, it is dropped. When
   * this process sends brotli for the second time, a smaller one is created in the background.
   */
  wantBrotli(): void {
    if (this.brotliUse !== null) this.brotliUse.isSent = true
    this.#wanted += 1
    if (this.#brotli === undefined) return
    if (this.#wanted === 2) this.#makeSmallBrotli()
    if (this.#isReadPlain || this.#body === undefined) return
    this.#body = undefined
    this.onResize?.()
  }

  #makeSmallBrotli(): void {
    compressBrotli(this.#plain(), brotliOptions(SMALL_QUALITY, this.fields.rawSize)).then(
      (bytes) => this.#setBrotli(bytes),
      () => undefined,
    )
  }

  #setBrotli(bytes: Buffer): void {
    this.#brotli = this.#own(trimmed(bytes))
    this.onResize?.()
  }

  #setGzip(bytes: Buffer): void {
    this.#gzip = this.#own(trimmed(bytes))
    this.onResize?.()
  }

  #own(form: Buffer): Buffer {
    setOwner(form, this)
    return form
  }

  #forms(): Buffer[] {
    const forms = [this.#body, this.#zstd, this.#brotli, this.#gzip]
    return forms.filter((form) => form !== undefined)
  }

  /** Not kept: for the other forms. */
  #plain(): Buffer {
    if (this.#body !== undefined) return this.#body
    const options = { maxOutputLength: this.fields.rawSize }
    if (this.#zstd !== undefined) return zstdDecompressSync(this.#zstd, options)
    return brotliDecompressSync(this.#brotli ?? Buffer.alloc(0), options)
  }
}

/** The library returns the beginning of a larger buffer, which would stay in memory as a whole. */
function trimmed(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
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

interface EntryOptions {
  readonly compress: boolean
  /** The compressed form that is made first, and shared; large bodies are always brotli. */
  readonly form?: 'zstd' | 'br'
  /** False: no client receives it as it is. */
  readonly isSent?: boolean
}

export async function makeEntry(
  source: EntrySource,
  { compress, form = 'zstd', isSent = true }: EntryOptions,
): Promise<CacheEntry> {
  const { body, status, headers, facts, lifetime } = source
  const fields: EntryFields = {
    ...lifetime,
    writeId: newWriteId(),
    status,
    // Weak, because one tag identifies three encodings of the same content (RFC 9110 §8.8.3.3).
    etag: isSent ? `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"` : '',
    headers,
    facts,
    rawSize: body.length,
  }
  const bytesMin = isSent ? COMPRESSED_BYTES_MIN : UNSENT_COMPRESSED_BYTES_MIN
  if (!compress || body.length < bytesMin) return new CacheEntry(fields, { body })
  const isZstd = form === 'zstd' && body.length <= SYNC_BYTES_MAX
  const bytes = trimmed(isZstd ? zstdCompressSync(body, ZSTD) : await compressToBrotli(body))
  if (bytes.length >= body.length) return new CacheEntry(fields, { body })
  return new CacheEntry(fields, isZstd ? { body, zstd: bytes } : { body, brotli: bytes })
}

async function compressToBrotli(body: Buffer): Promise<Buffer> {
  const options = brotliOptions(QUICK_QUALITY, body.length)
  return body.length <= SYNC_BYTES_MAX
    ? brotliCompressSync(body, options)
    : compressBrotli(body, options)
}
