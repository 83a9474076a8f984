import type { CacheEntry, EntryFacts } from './cache-entry.ts'
import type { CacheState } from './cache-metrics.ts'
import { nearExpiryFromMs } from './freshness.ts'

/** An entry's bytes as they are sent, with state and age at the time of this request. */
export class CachedBytes {
  readonly #entry: CacheEntry
  readonly state: CacheState
  readonly ageMs: number

  constructor(entry: CacheEntry, state: CacheState, ageMs: number) {
    this.#entry = entry
    this.state = state
    this.ageMs = ageMs
  }

  /** The plain bytes; after an L2 hit they are decompressed once, on first use. */
  get body(): Buffer {
    return this.#entry.body
  }

  /** Created once, on first use. */
  get gzip(): Buffer | undefined {
    return this.#entry.gzip
  }

  /** Created once, on first use, unless it was stored. */
  get brotli(): Buffer | undefined {
    return this.#entry.brotli
  }

  get etag(): string {
    return this.#entry.fields.etag
  }

  get status(): number {
    return this.#entry.fields.status
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#entry.fields.headers
  }

  /** Until then `peek` always finds the entry, unless it is invalidated or evicted. */
  get freshUntilMs(): number {
    return nearExpiryFromMs(this.#entry.fields)
  }

  /** For the code that serves the entry; never sent to a client. */
  get facts(): EntryFacts {
    return this.#entry.fields.facts
  }

  /** Call when the brotli form is sent; later requests may get a smaller one. */
  wantBrotli(): void {
    this.#entry.wantBrotli()
  }
}
