import type { Scheduler } from '../scheduler.ts'
import type { Activity } from '../simulated-process.ts'

/** A run that takes longer is that of a process that was paused; others go on without it. */
const RUN_MS_MAX = 8_000

export interface PeriodicJob {
  /** When something is due; infinite: never. */
  readonly dueMs: () => number
  /** The possible delays of a run, one of which is chosen. */
  readonly lagsMs: () => readonly number[]
  readonly run: () => Activity<unknown>
}

/**
 * A periodic job without its idle runs: it runs when something is due, after a lag that is decided.
 * While one run is in progress no other one starts, unless its process has crashed or is paused.
 */
export class DueTimer {
  readonly #scheduler: Scheduler
  readonly #job: PeriodicJob
  #waitingForMs = Number.POSITIVE_INFINITY
  #activity: Activity<unknown> | null = null
  #startedMs = 0

  constructor(scheduler: Scheduler, job: PeriodicJob) {
    this.#scheduler = scheduler
    this.#job = job
  }

  /** After any change of what is due. */
  update(): void {
    const { clock, decisions } = this.#scheduler
    const dueMs = this.#nextMs()
    if (!Number.isFinite(dueMs) || this.#waitingForMs <= dueMs) return
    this.#waitingForMs = dueMs
    const lags = this.#job.lagsMs()
    const lagMs = lags[decisions.choose(lags.length)] ?? 0
    const start = async () => this.#start(dueMs)
    this.#scheduler.deliver('timer', start, Math.max(0, dueMs - clock.nowMs()) + lagMs)
  }

  #start(dueMs: number): void {
    if (this.#waitingForMs !== dueMs) return
    this.#waitingForMs = Number.POSITIVE_INFINITY
    if (this.#nextMs() > this.#scheduler.clock.nowMs()) return this.update()
    this.#startedMs = this.#scheduler.clock.nowMs()
    this.#activity = this.#job.run()
  }

  #nextMs(): number {
    const isRunning = this.#activity?.outcome().status === 'running'
    const dueMs = this.#job.dueMs()
    return isRunning ? Math.max(dueMs, this.#startedMs + RUN_MS_MAX) : dueMs
  }
}
