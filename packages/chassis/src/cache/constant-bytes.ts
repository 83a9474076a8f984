import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { CachedBytes } from './cached-bytes.ts'

/** Compressed once per process: a higher level than for entries that change. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** What sending needs of a cache entry. */
export type SentBytes = Pick<
  CachedBytes,
  'status' | 'headers' | 'etag' | 'state' | 'ageMs' | 'body' | 'gzip' | 'brotli' | 'wantBrotli'
>

/** A JSON document that does not change while the process runs. */
class ConstantBytes implements SentBytes {
  readonly state = 'hit'
  readonly ageMs = 0
  readonly status = 200
  readonly headers = {}
  readonly etag: string
  readonly body: Buffer
  #gzip: Buffer | undefined
  #brotli: Buffer | undefined

  constructor(document: unknown) {
    this.body = Buffer.from(JSON.stringify(document))
    this.etag = `W/"${hash('sha256', this.body, 'base64url').slice(0, 27)}"`
  }

  get gzip(): Buffer {
    this.#gzip ??= gzipSync(this.body)
    return this.#gzip
  }

  get brotli(): Buffer {
    this.#brotli ??= brotliCompressSync(this.body, BROTLI)
    return this.#brotli
  }

  wantBrotli(): void {}
}

/** One document per key, each composed on first use; for a closed set of keys. */
export function constantDocuments<Key>(compose: (key: Key) => unknown): (key: Key) => SentBytes {
  const documents = new Map<Key, SentBytes>()
  return (key) => {
    const known = documents.get(key)
    if (known !== undefined) return known
    const bytes = new ConstantBytes(compose(key))
    documents.set(key, bytes)
    return bytes
  }
}
