import type { Database, Statement } from '@melmastoon/chassis/db'
import { problem } from '@melmastoon/domain'
import { selectAvailability } from '../availability-sql.ts'
import { type ChangedRow, type ChangeWindow, type HeadsRow, readHeads } from '../change-sql.ts'
import { selectListings } from '../listing-sql.ts'
import { selectPlaces } from '../place-sql.ts'
import { selectPopularity } from '../popularity-sql.ts'
import type { FxRates, SearchSources } from '../search-sources.ts'
import { selectTenants } from '../tenant-sql.ts'
import type { ListingRow } from './feed-rows.ts'
import { toAvailability, toListingRow, toPopularity, toTenant } from './from-rows.ts'
import { ListingIndex } from './listing-index.ts'
import { readBatches, readChanges } from './read-changes.ts'

const DAY_MS = 86_400_000
/** After this many days the first night of the columns is too old, and the index is reloaded. */
const REBASE_DAYS = 30
const RATES_MAX_AGE_MS = 60_000

export interface IndexUpdaterOptions {
  readonly db: Database
  readonly publicUrl: string
  readonly sources: Pick<SearchSources, 'readFxRates' | 'readExchange' | 'readRateCards'>
  /** Elapsed time only; the date comes from the database. */
  readonly monotonicMs: () => number
}

interface LoadedIndex {
  readonly index: ListingIndex
  /** The database clock and the local clock at the last comparison with the tables. */
  readonly now: Date
  readonly comparedMs: number
  readonly floor: string
  readonly ratesMs: number
}

/** Keeps the index of this process in sync with the tables and tracks its age. */
export class IndexUpdater {
  readonly #options: IndexUpdaterOptions
  #loaded: LoadedIndex | undefined
  #refreshing: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(options: IndexUpdaterOptions) {
    this.#options = options
  }

  /** @throws Problem when nothing was loaded yet. */
  get index(): ListingIndex {
    return this.#current().index
  }

  /** The time up to which the index is complete. */
  get indexedAt(): Date {
    return this.#current().now
  }

  /** The database clock, extrapolated without a query. */
  now(): Date {
    return new Date(this.#current().now.getTime() + this.ageMs())
  }

  ageMs(): number {
    return this.#options.monotonicMs() - this.#current().comparedMs
  }

  /** With the exchange rates that previews use now; in an outage the last known ones. */
  async indexWithExchange(): Promise<ListingIndex> {
    const known = this.#current().index.exchange
    const exchange = await this.#options.sources.readExchange().catch(() => known)
    const { index } = this.#current()
    index.exchange = exchange
    return index
  }

  /**
   * Applies everything committed before the call. One refresh runs at a time; concurrent callers
   * share the next one.
   */
  refresh(): Promise<void> {
    // Between two refreshes, callers already wait for the next one.
    if (this.#next !== undefined) return this.#next
    if (this.#refreshing === undefined) {
      this.#refreshing = this.#run()
      return this.#refreshing
    }
    this.#next = this.#refreshing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        this.#refreshing = this.#run()
        return this.#refreshing
      })
    return this.#next
  }

  async #run(): Promise<void> {
    try {
      await this.#compare()
    } finally {
      this.#refreshing = undefined
    }
  }

  async #compare(): Promise<void> {
    const { db, monotonicMs } = this.#options
    const known = this.#loaded
    const [heads] = await db.query(readHeads(known?.floor ?? '0'))
    if (heads === undefined) throw new TypeError('a select without rows')
    const comparedMs = monotonicMs()
    const isCurrent = known !== undefined && dayOf(heads.now) - known.index.firstDay <= REBASE_DAYS
    const loaded = isCurrent ? known : await this.#begin(heads)
    const ratesMs = await this.#renewRates(loaded, comparedMs)
    await this.#takeIn(loaded.index, isCurrent ? heads : ALL, isCurrent ? loaded.floor : null)
    this.#loaded = {
      index: loaded.index,
      now: heads.now,
      comparedMs,
      floor: heads.horizon,
      ratesMs,
    }
  }

  async #begin({ now }: HeadsRow): Promise<LoadedIndex> {
    const { publicUrl, sources, monotonicMs } = this.#options
    const rates: FxRates = await sources.readFxRates()
    const index = new ListingIndex({ firstDay: dayOf(now) - 1, publicUrl, rates })
    return { index, now, comparedMs: 0, floor: '0', ratesMs: monotonicMs() }
  }

  async #renewRates({ index, ratesMs }: LoadedIndex, nowMs: number): Promise<number> {
    if (nowMs - ratesMs < RATES_MAX_AGE_MS) return ratesMs
    index.applyRates(await this.#options.sources.readFxRates())
    return nowMs
  }

  async #takeIn(index: ListingIndex, changed: Changed, floor: string | null): Promise<void> {
    const { db } = this.#options
    if (changed.places) index.applyPlaces(await db.query(selectPlaces()))
    const read = <R extends ChangedRow>(select: (window: ChangeWindow) => Statement<R>) =>
      readChanges(db, floor, select)
    if (changed.tenants) {
      for await (const row of read(selectTenants)) index.applyTenant(toTenant(row))
    }
    if (changed.availability) {
      for await (const row of read(selectAvailability)) index.applyAvailability(toAvailability(row))
    }
    if (changed.popularity) {
      for await (const row of read(selectPopularity)) index.applyPopularity(toPopularity(row))
    }
    if (changed.listings) {
      for await (const rows of readBatches(db, floor, selectListings)) {
        await this.#takeInListings(index, rows.map(toListingRow))
      }
    }
  }

  /** The rates are read after the listings, so that they are at least as new. */
  async #takeInListings(index: ListingIndex, rows: readonly ListingRow[]): Promise<void> {
    const changed = rows.filter((row) => index.needsRates(row))
    const ids = changed.map(({ document }) => document.propertyId)
    const cards = ids.length === 0 ? [] : await this.#options.sources.readRateCards(ids)
    const byId = new Map(cards.map((card) => [card.propertyId, card]))
    for (const row of rows) index.applyListing(row, byId.get(row.document.propertyId))
  }

  #current(): LoadedIndex {
    if (this.#loaded === undefined) throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    return this.#loaded
  }
}

type Changed = Pick<HeadsRow, 'places' | 'tenants' | 'listings' | 'availability' | 'popularity'>

const ALL: Changed = {
  places: true,
  tenants: true,
  listings: true,
  availability: true,
  popularity: true,
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS)
}
