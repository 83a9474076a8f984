import { LRUCache } from 'lru-cache'
import { everyTick } from '../clock/index.ts'
import type { TagChange, TagVersionStore } from './tag-version-store.ts'

export interface TagVersions extends Disposable {
  /** Part of every key: the versions this process knows. Undefined when one has to be read. */
  versionKey(tags: readonly string[]): string | undefined
  /** Undefined when a version has to be read. */
  stamp(tags: readonly string[]): TagStamp | undefined
  /** Whether none of its tags has been invalidated since. */
  isCurrent(stamp: TagStamp): boolean
  /** Changes whenever an earlier version key may be outdated. */
  readonly generation: number
  /** Reads the unknown versions. Null when the store is unavailable. */
  load(tags: readonly string[]): Promise<string | null>
  /** Rejects when the store is unavailable; repeating it is harmless. */
  invalidate(tags: readonly string[]): Promise<void>
}

/** The versions of some tags at one time. */
export interface TagStamp {
  readonly tags: readonly string[]
  readonly versionKey: string
  /** When it was last compared. */
  generation: number
}

interface TagVersionsOptions {
  store: TagVersionStore
  onError: (error: unknown) => void
  pollMs?: number
  /** At the bound the least recently used tag is dropped, and read again when it is next used. */
  maxTags?: number
}

/** A batch of a hundred entries has a tag for each. */
const TAGS_PER_ENTRY_MAX = 128
const TAG_PATTERN = /^[\x21-\x3f\x41-\x7e][\x21-\x7e]{0,199}$/
const READ_CHUNK = 500

/**
 * The tag versions known to this process. A broadcast updates them; a poll once a second
 * catches lost broadcasts and costs one small read while the change counter is unchanged. A known
 * version never decreases: a store that returns with lower versions (failover) is raised, and a
 * store that returns empty has another epoch, which changes every key.
 */
export function createTagVersions(options: TagVersionsOptions): TagVersions {
  return new KnownVersions(options)
}

interface KnownVersion {
  version: number
  /** Its part of the version key, built once because every hit needs it. */
  text: string
}

class KnownVersions implements TagVersions {
  readonly #store: TagVersionStore
  readonly #onError: (error: unknown) => void
  readonly #known: LRUCache<string, KnownVersion>
  readonly #reading = new Map<string, Promise<void>>()
  readonly #polls: Disposable
  readonly #unsubscribe: () => void
  #epoch = ''
  #changes = -1
  #polling = false
  #generation = 0

  constructor({ store, onError, pollMs = 1_000, maxTags = 20_000 }: TagVersionsOptions) {
    this.#store = store
    this.#onError = onError
    this.#known = new LRUCache({ max: maxTags, dispose: () => this.#generation++ })
    this.#unsubscribe = store.subscribe({
      onChange: (change) => this.#apply(change),
      onReconnect: () => void this.#poll(),
    })
    this.#polls = everyTick(pollMs, () => void this.#poll())
  }

  versionKey(tags: readonly string[]): string | undefined {
    if (tags.length === 0) return ''
    if (tags.length > TAGS_PER_ENTRY_MAX) checkTags(tags)
    if (this.#epoch === '') return undefined
    let versionKey = this.#epoch
    for (const tag of inOrder(tags)) {
      const known = this.#known.get(tag)
      if (known === undefined) return undefined
      versionKey += known.text
    }
    return versionKey
  }

  get generation(): number {
    return this.#generation
  }

  stamp(tags: readonly string[]): TagStamp | undefined {
    const versionKey = this.versionKey(tags)
    return versionKey === undefined ? undefined : { tags, versionKey, generation: this.#generation }
  }

  isCurrent(stamp: TagStamp): boolean {
    if (stamp.generation === this.#generation) return true
    if (this.versionKey(stamp.tags) !== stamp.versionKey) return false
    stamp.generation = this.#generation
    return true
  }

  async load(tags: readonly string[]): Promise<string | null> {
    checkTags(tags)
    try {
      await Promise.all(tags.map((tag) => this.#read(tag)))
      return this.versionKey(tags) ?? null
    } catch (error) {
      this.#onError(error)
      return null
    }
  }

  async invalidate(tags: readonly string[]): Promise<void> {
    for (const tag of tags) checkTag(tag)
    const changes = await Promise.all(tags.map((tag) => this.#store.bump(tag)))
    for (const change of changes) this.#raiseKnown(change.tag, change.version)
  }

  [Symbol.dispose](): void {
    this.#polls[Symbol.dispose]()
    this.#unsubscribe()
  }

  #read(tag: string): Promise<void> {
    if (this.#epoch !== '' && this.#known.has(tag)) return Promise.resolve()
    const running = this.#reading.get(tag)
    if (running !== undefined) return running
    const started = this.#readChunk([tag]).finally(() => this.#reading.delete(tag))
    this.#reading.set(tag, started)
    return started
  }

  async #readChunk(tags: readonly string[]): Promise<void> {
    const { epoch, versions } = await this.#store.read(tags)
    this.#adoptEpoch(epoch)
    const behind = tags.filter((tag, at) => this.#raiseKnown(tag, versions[at] ?? 0))
    await Promise.all(
      behind.map((tag) => this.#store.raise(tag, this.#known.peek(tag)?.version ?? 0)),
    )
  }

  async #poll(): Promise<void> {
    if (this.#polling || this.#known.size === 0) return
    this.#polling = true
    try {
      const { epoch, changes } = await this.#store.read([])
      this.#adoptEpoch(epoch)
      if (changes === this.#changes) return
      const tags = [...this.#known.keys()]
      for (let at = 0; at < tags.length; at += READ_CHUNK) {
        await this.#readChunk(tags.slice(at, at + READ_CHUNK))
      }
      if (epoch === this.#epoch) this.#changes = changes
    } catch (error) {
      this.#onError(error)
    } finally {
      this.#polling = false
    }
  }

  /** Versions stay known across epochs because they only grow; the next poll compares them all. */
  #adoptEpoch(epoch: string): void {
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    this.#changes = -1
    this.#generation += 1
  }

  /** An unknown tag is recorded too: a read in progress may return the older version. */
  #apply({ tag, version, changes }: TagChange): void {
    this.#raiseKnown(tag, version)
    if (changes === this.#changes + 1) this.#changes = changes
  }

  /** Returns whether this process knows a later version than the given one. */
  #raiseKnown(tag: string, version: number): boolean {
    const known = this.#known.peek(tag)?.version
    if (known !== undefined && known > version) return true
    if (known !== version) this.#known.set(tag, { version, text: `|${tag}@${version}` })
    return false
  }
}

function inOrder(tags: readonly string[]): readonly string[] {
  for (let at = 1; at < tags.length; at += 1) {
    if ((tags[at - 1] ?? '') > (tags[at] ?? '')) return tags.toSorted()
  }
  return tags
}

function checkTags(tags: readonly string[]): void {
  if (tags.length > TAGS_PER_ENTRY_MAX) {
    throw new TypeError(`an entry has at most ${TAGS_PER_ENTRY_MAX} tags, got ${tags.length}`)
  }
  for (const tag of tags) checkTag(tag)
}

function checkTag(tag: string): void {
  if (!TAG_PATTERN.test(tag))
    throw new TypeError('a tag must have 1 to 200 visible ASCII characters')
}
