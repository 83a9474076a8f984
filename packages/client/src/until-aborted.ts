/**
 * Rejects with the reason of the signal as soon as it aborts, even where the work does not notice:
 * in Node a `Request` follows its signal by a weak reference only, and once it has been collected
 * `fetch` waits for a silent server without end.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
  })
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
