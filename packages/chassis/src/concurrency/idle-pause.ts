import { pause } from '../clock/index.ts'

/** Reports that there may be work: `Announcements` of the database. */
export interface WorkSource {
  subscribe(topic: string, wake: () => void): () => void
  isListening(): boolean
}

export interface Announced {
  readonly source: WorkSource
  readonly topic: string
}

/** After this time without work, or an announcement of it, a worker polls slowly. */
const ACTIVE_MS = 30_000
const IDLE_MS = 5_000
/** Under load work is announced all the time: it is done in batches. */
const GATHER_MS = 20

/**
 * The pause of a worker that polls. Announced work often becomes due a little later, so the worker
 * polls quickly for a while and then slowly, until the next announcement.
 */
export class IdlePause implements Disposable {
  readonly #announced: Announced | undefined
  readonly #pollMs: number
  readonly #unsubscribe: (() => void) | undefined
  #activeUntilMs = performance.now() + ACTIVE_MS
  #isWoken = false
  #end: (() => void) | undefined

  constructor(pollMs: number, announced: Announced | undefined) {
    this.#pollMs = pollMs
    this.#announced = announced
    this.#unsubscribe = announced?.source.subscribe(announced.topic, () => this.#wake())
  }

  /** Work was found: more may follow. */
  extend(): void {
    this.#activeUntilMs = performance.now() + ACTIVE_MS
  }

  async wait(signal: AbortSignal): Promise<void> {
    const isWoken = this.#isWoken
    this.#isWoken = false
    if (isWoken) return pause(Math.min(GATHER_MS, this.#pollMs), signal)
    const woken = new AbortController()
    this.#end = () => woken.abort()
    await pause(this.#durationMs(), AbortSignal.any([signal, woken.signal]))
    this.#end = undefined
    this.#isWoken = false
  }

  [Symbol.dispose](): void {
    this.#unsubscribe?.()
  }

  #wake(): void {
    this.extend()
    this.#isWoken = true
    this.#end?.()
  }

  #durationMs(): number {
    const isQuiet = performance.now() > this.#activeUntilMs
    const isListening = this.#announced?.source.isListening() ?? false
    return isQuiet && isListening ? Math.max(this.#pollMs, IDLE_MS) : this.#pollMs
  }
}
