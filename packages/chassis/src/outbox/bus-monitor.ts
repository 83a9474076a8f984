import type { RelaySettings } from './relay-options.ts'
import { replayPublishedSince } from './replay-event.ts'
import { knownEpoch, storeEpoch } from './shard-lease-sql.ts'

/**
 * Detects that the bus restarted empty or as a replica that lacks the latest events, and publishes
 * the possibly lost events again before new ones: rows retain their position in the order of their
 * key. Consumers recognise duplicates (D12, D21).
 */
export class BusMonitor {
  readonly #settings: RelaySettings
  readonly #whenSettled: () => Promise<unknown>
  #isVerified = false
  #verifiedAtMs = Number.NEGATIVE_INFINITY
  #checking: Promise<string | undefined> | undefined

  constructor(settings: RelaySettings, whenSettled: () => Promise<unknown>) {
    this.#settings = settings
    this.#whenSettled = whenSettled
  }

  /** The bus failed: it may have lost data when it responds again. */
  suspect(): void {
    this.#isVerified = false
  }

  /** Why nothing can be published now; undefined when the bus is available and complete. */
  verify(): Promise<string | undefined> {
    if (this.#isVerified || this.#settings.bus.epoch === undefined) {
      return Promise.resolve(undefined)
    }
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** Also without a failure, so that the time when the bus was last seen whole stays fresh. */
  async verifyAgain(everyMs: number): Promise<void> {
    if (this.#settings.clock.monotonicMs() - this.#verifiedAtMs < everyMs) return
    this.#isVerified = false
    await this.verify()
  }

  async #check(): Promise<string | undefined> {
    const { db, bus, replayMarginSeconds, metrics } = this.#settings
    let epoch: string
    try {
      epoch = (await bus.epoch?.read()) ?? ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    const [known] = await db.query(knownEpoch(replayMarginSeconds))
    const isAnother = known !== undefined && known.epoch !== null && known.epoch !== epoch
    if (isAnother) {
      const count = await replayPublishedSince(db, known.since)
      metrics.onBusChanged?.(count)
    }
    await db.query(storeEpoch(epoch))
    // A batch that was read before the replay is still rejected, else it would overtake the replay.
    await this.#whenSettled()
    bus.epoch?.expect(epoch)
    this.#verifiedAtMs = this.#settings.clock.monotonicMs()
    this.#isVerified = true
    return undefined
  }
}
