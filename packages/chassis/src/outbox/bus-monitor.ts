import { type Statement, sql } from '../db/index.ts'
import type { RelaySettings } from './relay-options.ts'
import { replayPublishedSince } from './replay-event.ts'

/**
 * Detects that the bus came back empty or as a replica that lacks the latest events, and publishes
 * again what it may have lost, before anything new: rows keep their place in the order of their
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
    // A batch that was read before the replay is still refused, else it would overtake the replay.
    await this.#whenSettled()
    bus.epoch?.expect(epoch)
    this.#verifiedAtMs = this.#settings.clock.monotonicMs()
    this.#isVerified = true
    return undefined
  }
}

const JOB_NAME = 'outbox-bus'

interface KnownEpoch {
  epoch: string | null
  /** What was published after this may be lost, if the bus is another one now. */
  since: Date
}

/** The epoch the relays saw last, stored where a loss of the bus does not affect it. */
function knownEpoch(marginSeconds: number): Statement<KnownEpoch> {
  return sql<KnownEpoch>`
    select max(last_result ->> 'epoch') as "epoch",
      coalesce(max(last_finished_at), now()) - make_interval(secs => ${marginSeconds}) as "since"
    from job_run where name = ${JOB_NAME}`
}

function storeEpoch(epoch: string): Statement<unknown> {
  return sql`
    insert into job_run (name, last_finished_at, last_result)
    values (${JOB_NAME}, now(), jsonb_build_object('epoch', ${epoch}::text))
    on conflict (name) do update
    set last_finished_at = excluded.last_finished_at, last_result = excluded.last_result`
}
