import { isProblem, problem } from '@melmastoon/domain'
import { KeyedMutex } from '../concurrency/index.ts'

/** More changes of one session at once are not made by a guest. */
const CHANGES_MAX = 64

interface Queue {
  changes: number
  /** The store is unavailable: those that wait would each find that out after its own timeout. */
  failure: Error | undefined
}

/** Changes of a session one after the other: a bounded number, which fail together. */
export class ChangeQueue {
  readonly #mutex = new KeyedMutex()
  readonly #queues = new Map<string, Queue>()

  /** @throws Problem when too many wait already, or the store failed for the one in front. */
  async run<T>(key: string, change: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { changes: 0, failure: undefined }
    if (queue.changes >= CHANGES_MAX) throw problem('MELMASTOON.GENERAL.CONFLICT')
    this.#queues.set(key, queue)
    queue.changes += 1
    try {
      return await this.#mutex.runExclusive(key, () => this.#attempt(key, queue, change))
    } finally {
      queue.changes -= 1
      if (queue.changes === 0) this.#remove(key, queue)
    }
  }

  async #attempt<T>(key: string, queue: Queue, change: () => Promise<T>): Promise<T> {
    if (queue.failure !== undefined) throw queue.failure
    try {
      return await change()
    } catch (error) {
      if (isUnavailable(error)) {
        queue.failure = error
        // Later changes are attempted again.
        this.#remove(key, queue)
      }
      throw error
    }
  }

  #remove(key: string, queue: Queue): void {
    if (this.#queues.get(key) === queue) this.#queues.delete(key)
  }
}

function isUnavailable(error: unknown): error is Error {
  return isProblem(error) && error.code === 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'
}
