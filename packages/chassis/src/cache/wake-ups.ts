import { createSubscriber, type Redis } from '../redis/index.ts'

export type WakeReason =
  | { kind: 'written' }
  /** Loaded, but not cacheable: every process has to load for itself. */
  | { kind: 'uncacheable' }
  | { kind: 'failed'; code: string }
  /** The wait timed out, or messages may have been missed: check again. */
  | { kind: 'look' }

export interface WakeMessage {
  id: string
  token: string
  reason: WakeReason
}

export interface Waiter extends Disposable {
  /** Resolves at the next wake-up by this holder, at any write, or after the timeout. */
  wait(holder: string, timeoutMs: number): Promise<WakeReason>
}

export interface WakeUps extends Disposable {
  /** Starts listening. Call this before acquiring the lease, or the wake-up may be missed. */
  expect(id: string): Waiter
}

/** Polling interval while there is no subscription and therefore no wake-up. */
const UNSUBSCRIBED_POLL_MS = 25
/** Polling interval with a subscription, in case a message was lost. */
const SLEEP_MAX_MS = 1_000

export function createWakeUps(redis: Redis, channelName: string): WakeUps {
  const waiters = new Map<string, Set<PendingWaiter>>()
  const subscriber = createSubscriber(redis)
  const pending = subscriber.subscribe(channelName, {
    onMessage(text) {
      const message = decodeWake(text)
      if (message === null) return
      for (const waiter of waiters.get(message.id) ?? []) waiter.receive(message)
    },
    onReconnect() {
      for (const set of waiters.values()) for (const waiter of set) waiter.look()
    },
  })
  let listening = false
  const settled = pending.then(
    (subscription) => {
      listening = true
      return subscription
    },
    () => null,
  )
  const sleepLimitMs = () =>
    listening && subscriber.isReady() ? SLEEP_MAX_MS : UNSUBSCRIBED_POLL_MS
  return {
    expect: (id) => new PendingWaiter(waiters, id, sleepLimitMs),
    [Symbol.dispose]() {
      void settled.then((subscription) => subscription?.unsubscribe())
    },
  }
}

class PendingWaiter implements Waiter {
  readonly #all: Map<string, Set<PendingWaiter>>
  readonly #id: string
  readonly #sleepLimitMs: () => number
  #messages: WakeMessage[] = []
  #notify: (() => void) | null = null
  #lookNow = false

  constructor(all: Map<string, Set<PendingWaiter>>, id: string, sleepLimitMs: () => number) {
    this.#all = all
    this.#id = id
    this.#sleepLimitMs = sleepLimitMs
    const set = all.get(id) ?? new Set()
    all.set(id, set.add(this))
  }

  receive(message: WakeMessage): void {
    this.#messages.push(message)
    this.#notify?.()
  }

  look(): void {
    this.#lookNow = true
    this.#notify?.()
  }

  async wait(holder: string, timeoutMs: number): Promise<WakeReason> {
    const early = this.#reasonFor(holder)
    if (early !== null) return early
    const { promise, resolve } = Promise.withResolvers<WakeReason>()
    const timer = setTimeout(
      () => resolve({ kind: 'look' }),
      Math.max(1, Math.min(timeoutMs, this.#sleepLimitMs())),
    )
    this.#notify = () => {
      const reason = this.#reasonFor(holder)
      if (reason !== null) resolve(reason)
    }
    const reason = await promise
    clearTimeout(timer)
    this.#notify = null
    return reason
  }

  [Symbol.dispose](): void {
    const set = this.#all.get(this.#id)
    set?.delete(this)
    if (set?.size === 0) this.#all.delete(this.#id)
  }

  /** A failure of an earlier holder is ignored: only that of the awaited one counts. */
  #reasonFor(holder: string): WakeReason | null {
    if (this.#lookNow) return { kind: 'look' }
    for (const { token, reason } of this.#messages) {
      if (token === holder || reason.kind === 'written') return reason
    }
    return null
  }
}

export function encodeWake({ id, token, reason }: WakeMessage): string {
  return `${id} ${token} ${reason.kind}${reason.kind === 'failed' ? ` ${reason.code}` : ''}`
}

export function decodeWake(text: string): WakeMessage | null {
  const [id, token, kind, code] = text.split(' ')
  if (id === undefined || token === undefined) return null
  if (kind === 'written' || kind === 'uncacheable') return { id, token, reason: { kind } }
  if (kind === 'failed') return { id, token, reason: { kind, code: code ?? '' } }
  return null
}
