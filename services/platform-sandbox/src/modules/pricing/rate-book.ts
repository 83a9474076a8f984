import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import type { Database, Queryable } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, uuidToId } from '@melmastoon/domain'
import { compileCard } from './compile-card.ts'
import { compileRules, type Rules } from './engine/compile-rules.ts'
import type { FxRates } from './engine/fx.ts'
import type { RateCard } from './engine/rate-card.ts'
import { type BookStateRow, readBookState, readRateCards, readRuleSets } from './rate-card-sql.ts'
import { fxFromRow } from './read-fx.ts'

export interface RateBookOptions {
  readonly db: Database
  readonly onError: (error: unknown) => void
  readonly clock?: Clock
}

export interface OpenBook {
  readonly cards: ReadonlyMap<PropertyId, RateCard>
  readonly fx: FxRates | null
  /** The database clock, extrapolated from its last reading. */
  readonly nowMs: number
}

/** The maximum age of rates changed by another process. */
const STALE_AFTER_MS = 500
/** From this age a request refreshes the rates without waiting for it. */
const RENEW_AFTER_MS = 250
const CHANGED_MAX = 500
const CARDS_MAX = 10_000
const RULES_MAX = 5_000

/**
 * The compiled rates of hotels, cached per process. Without requests nothing is polled; with
 * requests, one small query at most every quarter of a second reads the changes.
 */
export class RateBook {
  readonly #db: Database
  readonly #onError: (error: unknown) => void
  readonly #clock: Clock
  readonly #cards = new Map<PropertyId, RateCard>()
  readonly #rules = new Map<string, Rules>()
  #revision = 0
  #fx: FxRates | null = null
  #renewedAtMs = Number.NEGATIVE_INFINITY
  #aheadMs = 0
  #renewal: Promise<void> | undefined

  constructor({ db, onError, clock = systemClock }: RateBookOptions) {
    this.#db = db
    this.#onError = onError
    this.#clock = clock
  }

  async open(propertyIds: readonly PropertyId[]): Promise<OpenBook> {
    const ageMs = this.#clock.monotonicMs() - this.#renewedAtMs
    if (ageMs >= STALE_AFTER_MS) await this.#renew()
    else if (ageMs >= RENEW_AFTER_MS) this.#renew().catch(this.#onError)
    const cards = new Map<PropertyId, RateCard>()
    const missing: PropertyId[] = []
    for (const propertyId of propertyIds) {
      const card = this.#cards.get(propertyId)
      if (card === undefined) missing.push(propertyId)
      else cards.set(propertyId, card)
    }
    if (missing.length > 0) {
      for (const card of await this.#load(this.#db, missing)) cards.set(card.propertyId, card)
    }
    const nowMs = Math.floor(this.#clock.monotonicMs() + this.#aheadMs)
    return { cards, fx: this.#fx, nowMs }
  }

  /** The card at this revision or a later one, read in the caller's transaction if necessary. */
  async cardAt(
    tx: Queryable,
    propertyId: PropertyId,
    revision: number,
  ): Promise<RateCard | undefined> {
    const known = this.#cards.get(propertyId)
    if (known !== undefined && known.revision >= revision) return known
    const [card] = await this.#load(tx, [propertyId])
    return card
  }

  /** From the tables, not from the cache. */
  read(propertyIds: readonly PropertyId[]): Promise<RateCard[]> {
    return this.#load(this.#db, propertyIds)
  }

  invalidate(propertyId: PropertyId): void {
    this.#cards.delete(propertyId)
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#readState().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #readState(): Promise<void> {
    const queriedAtMs = this.#clock.monotonicMs()
    const [state] = await this.#db.query(readBookState(this.#revision, CHANGED_MAX))
    if (state === undefined) throw new TypeError('the revision of rates is missing')
    this.#invalidateChanged(state)
    this.#revision = state.revision
    if (state.fx_snapshot_id === null || this.#fx?.takenAtMs !== state.taken_at.getTime()) {
      this.#fx = fxFromRow(state)
    }
    this.#renewedAtMs = queriedAtMs
    this.#aheadMs = state.now.getTime() - this.#clock.monotonicMs()
  }

  #invalidateChanged({ changed }: BookStateRow): void {
    if (changed.length > CHANGED_MAX) this.#cards.clear()
    else for (const property of changed) this.#cards.delete(uuidToId('ppt', property))
  }

  async #load(db: Queryable, propertyIds: readonly PropertyId[]): Promise<RateCard[]> {
    const rows = await db.query(readRateCards(propertyIds.map(idToUuid)))
    const ruleSets = await this.#rulesOf(db, [...new Set(rows.map((row) => row.rule_set_id))])
    return rows.map((row) => {
      const rules = ruleSets.get(row.rule_set_id)
      if (rules === undefined) throw new TypeError('a hotel refers to a missing rule set')
      const card = compileCard(row, rules)
      this.#store(card, row.book_revision)
      return card
    })
  }

  /**
   * A card read before an already known change serves only this request; it is not cached, because
   * it would never be invalidated.
   */
  #store(card: RateCard, readAtRevision: number): void {
    if (readAtRevision < this.#revision) return
    if (this.#cards.size >= CARDS_MAX) {
      const [oldest] = this.#cards.keys()
      if (oldest !== undefined) this.#cards.delete(oldest)
    }
    this.#cards.set(card.propertyId, card)
  }

  /** Rule sets are immutable, so a cached one is never read again. */
  async #rulesOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Rules>> {
    const found = new Map<string, Rules>()
    for (const id of ids) {
      const rules = this.#rules.get(id)
      if (rules !== undefined) found.set(id, rules)
    }
    if (found.size === ids.length) return found
    const unknown = ids.filter((id) => !found.has(id))
    for (const row of await db.query(readRuleSets(unknown))) {
      found.set(row.rule_set_id, compileRules(row.rules))
    }
    if (this.#rules.size >= RULES_MAX) this.#rules.clear()
    for (const [id, rules] of found) this.#rules.set(id, rules)
    return found
  }
}
