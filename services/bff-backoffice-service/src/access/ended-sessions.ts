import { createSubscriber, type Redis } from '@melmastoon/chassis/redis'
import type { Id } from '@melmastoon/domain'
import type { SessionEndListener } from './access.ts'

export interface EndedSessionsDeps {
  readonly redis: Redis
  readonly channel: string
  readonly onError: (error: unknown) => void
}

/** Tells the parts of this process which sessions end, in whatever process that was decided. */
export class EndedSessions {
  readonly #listeners = new Set<SessionEndListener>()

  constructor({ redis, channel, onError }: EndedSessionsDeps) {
    const onMessage = (sessionId: string) => {
      for (const listener of this.#listeners) listener(sessionId as Id<'bos'>)
    }
    createSubscriber(redis).subscribe(channel, { onMessage }).catch(onError)
  }

  /** Returns a function that removes the listener. */
  add(listener: SessionEndListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}
