import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isProblem } from '@melmastoon/domain'
import { createTestClock, type TestClock } from '@melmastoon/testkit'
import type { Decisions } from './decisions.ts'
import { SimulatedProcess, type Task } from './simulated-process.ts'

export interface SchedulerOptions {
  readonly decisions: Decisions
  readonly start?: Date
  /** A process crashes before or after a task, each once in so many tasks; absent: never. */
  readonly crashOneIn?: number | undefined
  /** Instead: at which tasks a process crashes. */
  readonly crashAt?: ((label: string) => 'none' | 'before' | 'after') | undefined
  /** Every task takes from 0 to so many milliseconds. */
  readonly taskMsMax?: number
  /** A limit for histories that do not end. */
  readonly tasksMax?: number
  /** Checks that must hold after every task; what it throws ends the run. */
  readonly afterTask?: (entry: TraceEntry) => void | Promise<void>
  /** Starts the process again, as the platform does. */
  readonly onCrash?: (process: SimulatedProcess) => void
}

export interface TraceEntry {
  readonly no: number
  readonly atMs: number
  /** Null: a message in flight, which no crash of its sender stops. */
  readonly process: string | null
  readonly label: string
  readonly outcome: string
}

/**
 * Runs asynchronous code one task at a time. A task is a database statement, a transaction, an
 * upstream call or a timer; between two tasks of an activity only its own code runs. The order is
 * chosen by the decisions, so that equal decisions lead to an equal trace.
 *
 * Code under simulation awaits tasks only: an await of anything else (a real timer, a socket) is
 * reported when nothing else remains to be done.
 */
export class Scheduler {
  readonly clock: TestClock
  readonly decisions: Decisions
  readonly trace: TraceEntry[] = []
  /** False at the end of a history: everything that is still due must complete. */
  crashes = true
  readonly #options: SchedulerOptions
  #pending: Task[] = []
  #processes: SimulatedProcess[] = []
  #transaction: Task | null = null
  #violation: Error | null = null
  #nextTask = 1

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.decisions = options.decisions
    this.clock = createTestClock(options.start)
  }

  process(name: string): SimulatedProcess {
    const process = new SimulatedProcess(name, this)
    this.#processes.push(process)
    return process
  }

  /** A message in flight: it arrives even if its sender has crashed. */
  deliver(label: string, work: () => Promise<unknown>, delayMs = 0): void {
    void this.enqueue({ process: null, label, work, delayMs }).catch(() => undefined)
  }

  /** @internal For processes and wrappers. */
  enqueue<T>(request: {
    readonly process: SimulatedProcess | null
    readonly label: string
    readonly work: () => Promise<T>
    readonly delayMs?: number
    readonly isTransaction?: boolean
  }): Promise<T> {
    if (this.#transaction !== null) return Promise.reject(this.#report(request.label))
    const { process, label, work, delayMs = 0, isTransaction = false } = request
    return new Promise<T>((resolve, reject) => {
      const no = this.#nextTask
      this.#nextTask += 1
      const readyAtMs = this.clock.monotonicMs() + delayMs
      const run = async () => {
        try {
          const value = await work()
          return { name: 'ok', finish: () => resolve(value) }
        } catch (error) {
          return { name: nameOf(error), finish: () => reject(error as Error) }
        }
      }
      this.#pending.push({ no, process, label, readyAtMs, isTransaction, run })
    })
  }

  /** @internal */
  drop(process: SimulatedProcess): void {
    this.#pending = this.#pending.filter((task) => task.process !== process)
  }

  /** Runs until nothing is due before the time limit, and sets the clock to it. */
  async runFor(durationMs: number): Promise<void> {
    const endMs = this.clock.monotonicMs() + durationMs
    await this.#run(endMs)
    this.clock.advance(Math.max(0, endMs - this.clock.monotonicMs()))
  }

  /** Runs until nothing remains; fails when an activity waits for something that is no task. */
  async runToEnd(): Promise<void> {
    await this.#run(Number.POSITIVE_INFINITY)
    const waiting = this.#processes.flatMap((process) => process.unfinished())
    if (waiting.length > 0) {
      throw new TypeError(`activities wait for something that is no task: ${waiting.join(', ')}`)
    }
  }

  /** Equal for two runs of one history. */
  traceHash(): string {
    return hash('sha256', JSON.stringify(this.trace), 'hex')
  }

  async #run(endMs: number): Promise<void> {
    const { tasksMax = 100_000 } = this.#options
    for (;;) {
      // All code that can run without another task has run when the next turn begins.
      await nextTurn()
      if (this.#violation !== null) throw this.#violation
      const task = this.#next(endMs)
      if (task === undefined) return
      if (this.trace.length >= tasksMax) throw new RangeError(`more than ${tasksMax} tasks`)
      await this.#execute(task)
    }
  }

  #next(endMs: number): Task | undefined {
    const earliestMs = Math.min(...this.#pending.map((task) => task.readyAtMs))
    if (this.#pending.length === 0 || earliestMs > endMs) return undefined
    this.clock.advance(Math.max(0, earliestMs - this.clock.monotonicMs()))
    const ready = this.#pending.filter((task) => task.readyAtMs <= this.clock.monotonicMs())
    const task = ready[this.decisions.choose(ready.length)]
    this.#pending = this.#pending.filter((other) => other !== task)
    return task
  }

  async #execute(task: Task): Promise<void> {
    const crash = task.process === null ? 'none' : this.#chooseCrash(task.label)
    if (crash === 'before') return await this.#end(task, 'crash before', () => undefined)
    this.#transaction = task.isTransaction ? task : null
    const { name, finish } = await task.run()
    this.#transaction = null
    this.clock.advance(this.decisions.choose((this.#options.taskMsMax ?? 20) + 1))
    if (crash === 'after') return await this.#end(task, `${name}, crash after`, () => undefined)
    await this.#end(task, name, finish)
  }

  async #end(task: Task, outcome: string, finish: () => void): Promise<void> {
    const { label, process } = task
    const entry = {
      no: task.no,
      atMs: this.clock.monotonicMs(),
      process: process?.name ?? null,
      label,
      outcome,
    }
    this.trace.push(entry)
    if (outcome.includes('crash')) this.#crash(process)
    await this.#options.afterTask?.(entry)
    finish()
  }

  #crash(process: SimulatedProcess | null): void {
    if (process === null) return
    process.crash()
    this.#options.onCrash?.(process)
  }

  #chooseCrash(label: string): 'none' | 'before' | 'after' {
    const { crashOneIn, crashAt } = this.#options
    if (crashAt !== undefined && this.crashes) return crashAt(label)
    if (crashOneIn === undefined || !this.crashes) return 'none'
    const choice = this.decisions.choose(crashOneIn)
    if (choice === 1) return 'before'
    return choice === 2 ? 'after' : 'none'
  }

  #report(label: string): Error {
    this.#violation ??= new Error(
      `F11: ${label} inside the transaction ${String(this.#transaction?.label)}`,
    )
    return this.#violation
  }
}

function nameOf(error: unknown): string {
  if (isProblem(error)) return error.code
  if (!(error instanceof Error)) return 'error'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
