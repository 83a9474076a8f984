import { problem } from '@melmastoon/domain'
import type { Deadline } from '../clock/index.ts'

/** Stops waiting at the caller's deadline; the work continues. */
export function withinDeadline<T>(work: Promise<T>, deadline: Deadline | undefined): Promise<T> {
  if (deadline === undefined) return work
  const { signal } = deadline
  return new Promise<T>((resolve, reject) => {
    const onAbort = () =>
      reject(problem('MELMASTOON.GENERAL.DEADLINE_EXCEEDED', { cause: signal.reason }))
    const finish = () => signal.removeEventListener('abort', onAbort)
    work.then(
      (value) => {
        finish()
        resolve(value)
      },
      (error: unknown) => {
        finish()
        reject(error instanceof Error ? error : new Error('load failed', { cause: error }))
      },
    )
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
