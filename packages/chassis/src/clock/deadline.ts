import { type Clock, systemClock } from './clock.ts'

/**
 * One deadline for a whole request (P9): every call made on its behalf shares the signal, so that
 * running out of time cancels all that is still in flight.
 */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  remainingMs(): number
}

export interface DeadlineOptions {
  parent?: AbortSignal
  clock?: Clock
}

export function createDeadline(budgetMs: number, options: DeadlineOptions = {}): Deadline {
  const clock = options.clock ?? systemClock
  const controller = new AbortController()
  const endsAtMs = clock.monotonicMs() + budgetMs
  const expire = () => controller.abort(new DOMException('deadline exceeded', 'TimeoutError'))
  const follow = () => controller.abort(options.parent?.reason)
  const timer = setTimeout(expire, budgetMs)
  timer.unref()
  if (options.parent?.aborted) follow()
  else options.parent?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, endsAtMs - clock.monotonicMs()),
    [Symbol.dispose]() {
      clearTimeout(timer)
      options.parent?.removeEventListener('abort', follow)
    },
  }
}
