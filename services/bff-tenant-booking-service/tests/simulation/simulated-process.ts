import type { Deadline } from '@melmastoon/chassis/clock'
import type { Scheduler } from './scheduler.ts'

export interface Task {
  readonly no: number
  readonly process: SimulatedProcess | null
  readonly label: string
  /** By the monotonic clock. */
  readonly readyAtMs: number
  readonly isTransaction: boolean
  /** Performs the effect; `finish` then continues the code that waits for it. */
  run(): Promise<{ readonly name: string; readonly finish: () => void }>
}

export type Outcome<T> =
  | { readonly status: 'running' | 'crashed' }
  | { readonly status: 'done'; readonly value: T }
  | { readonly status: 'failed'; readonly error: unknown }

export interface Activity<T> {
  readonly label: string
  outcome(): Outcome<T>
}

/** A program that can crash: then none of its code continues, not even `finally`. */
export class SimulatedProcess {
  readonly name: string
  readonly #scheduler: Scheduler
  readonly #activities: Activity<unknown>[] = []
  #isCrashed = false

  constructor(name: string, scheduler: Scheduler) {
    this.name = name
    this.#scheduler = scheduler
  }

  get isCrashed(): boolean {
    return this.#isCrashed
  }

  /** Starts an activity, such as the handling of a request; its start is a task, too. */
  spawn<T>(label: string, work: () => Promise<T>): Activity<T> {
    let outcome: Outcome<T> = { status: 'running' }
    const activity = {
      label,
      outcome: () =>
        outcome.status === 'running' && this.#isCrashed
          ? ({ status: 'crashed' } as const)
          : outcome,
    }
    this.#activities.push(activity)
    void this.task(`start ${label}`, async () => undefined)
      .then(work)
      .then(
        (value) => (outcome = { status: 'done', value }),
        (error: unknown) => (outcome = { status: 'failed', error }),
      )
    return activity
  }

  task<T>(
    label: string,
    work: () => Promise<T>,
    options: { readonly delayMs?: number; readonly isTransaction?: boolean } = {},
  ): Promise<T> {
    if (this.#isCrashed) return new Promise<T>(() => undefined)
    return this.#scheduler.enqueue({ process: this, label, work, ...options })
  }

  async sleep(durationMs: number): Promise<void> {
    await this.task(`sleep ${durationMs}`, async () => undefined, { delayMs: durationMs })
  }

  /** By the simulated clock. Calls end at their own time limit, so the signal never aborts. */
  deadline(budgetMs: number): Deadline {
    const { clock } = this.#scheduler
    const endMs = clock.monotonicMs() + budgetMs
    return {
      signal: new AbortController().signal,
      remainingMs: () => Math.max(0, endMs - clock.monotonicMs()),
      [Symbol.dispose]: () => undefined,
    }
  }

  crash(): void {
    this.#isCrashed = true
    this.#scheduler.drop(this)
  }

  unfinished(): string[] {
    return this.#activities
      .filter((activity) => activity.outcome().status === 'running')
      .map((activity) => `${this.name}: ${activity.label}`)
  }
}
