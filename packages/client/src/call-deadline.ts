/** One time limit for a call with all its attempts, combined with the caller's own abort signal. */
export interface CallDeadline {
  readonly signal: AbortSignal
  hasPassed(): boolean
  remainingMs(): number
  /** Resolves after the time, or rejects as soon as the signal aborts. */
  pause(ms: number): Promise<void>
  clear(): void
}

export function startDeadline(timeoutMs: number, parent: AbortSignal): CallDeadline {
  const endsAtMs = performance.now() + timeoutMs
  const controller = new AbortController()
  let passed = false
  const timer = setTimeout(() => {
    passed = true
    controller.abort(new DOMException('No response in time', 'TimeoutError'))
  }, timeoutMs)
  const onAbort = () => controller.abort(parent.reason)
  if (parent.aborted) onAbort()
  parent.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    hasPassed: () => passed,
    remainingMs: () => endsAtMs - performance.now(),
    pause: (ms) => pause(ms, controller.signal),
    clear() {
      clearTimeout(timer)
      parent.removeEventListener('abort', onAbort)
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
