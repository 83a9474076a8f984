import type { Scheduler } from '../scheduler.ts'
import type { Activity } from '../simulated-process.ts'

/**
 * A periodic job without its idle runs: it runs when something is due, after a lag that is decided.
 * While one run is in progress no other one starts, unless its process has crashed.
 */
export class DueTimer {
  readonly #scheduler: Scheduler
  readonly #run: () => Activity<unknown>
  #dueMs = Number.POSITIVE_INFINITY
  #activity: Activity<unknown> | null = null

  constructor(scheduler: Scheduler, run: () => Activity<unknown>) {
    this.#scheduler = scheduler
    this.#run = run
  }

  /** @param dueMs infinite: nothing is due. */
  set(dueMs: number, lagsMs: readonly number[]): void {
    const isWaiting = this.#dueMs <= dueMs
    const isRunning = this.#activity?.outcome().status === 'running'
    if (!Number.isFinite(dueMs) || isWaiting || isRunning) return
    this.#dueMs = dueMs
    const { clock, decisions } = this.#scheduler
    const lagMs = lagsMs[decisions.choose(lagsMs.length)] ?? 0
    const start = async () => {
      if (this.#dueMs !== dueMs) return
      this.#dueMs = Number.POSITIVE_INFINITY
      this.#activity = this.#run()
    }
    this.#scheduler.deliver('timer', start, Math.max(0, dueMs - clock.nowMs()) + lagMs)
  }
}
