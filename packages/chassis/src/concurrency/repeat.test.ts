import { describe, expect, it } from 'vitest'
import { repeat, repeatAfter, runUntilStopped } from './repeat.ts'

const LONG_MS = 60_000

/** Runs that find these numbers one after the other; the signal ends with the last. */
function runs(found: readonly (number | Error)[]) {
  const stop = new AbortController()
  const errors: unknown[] = []
  let count = 0
  const run = async () => {
    const result = found[count] ?? 0
    count += 1
    if (count === found.length) stop.abort()
    if (result instanceof Error) throw result
    return result
  }
  const options = { signal: stop.signal, onError: (error: unknown) => errors.push(error) }
  return { run, options, errors, count: () => count }
}

describe('repeat', () => {
  it('runs again at once after a full batch', async () => {
    const { run, options, count } = runs([3, 4, 3])
    await repeat(run, { ...options, full: 3, pollMs: LONG_MS })
    expect(count()).toBe(3)
  })

  it('pauses after less than a full batch and after a failure', async () => {
    const failure = new Error('no')
    const { run, options, errors } = runs([1, failure, 0])
    const startedMs = performance.now()
    await repeat(run, { ...options, full: 2, pollMs: 20 })
    // Timers may fire up to a millisecond early.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(38)
    expect(errors).toEqual([failure])
  })

  it('does not run after the signal', async () => {
    const { run, count } = runs([1])
    const options = { signal: AbortSignal.abort(), onError: () => undefined }
    await repeat(run, { ...options, pollMs: 1 })
    await repeatAfter(1, run, options)
    expect(count()).toBe(0)
  })
})

describe('repeatAfter', () => {
  it('pauses before every run, and goes on after a failure', async () => {
    const failure = new Error('no')
    const { run, options, errors, count } = runs([failure, 0])
    const startedMs = performance.now()
    await repeatAfter(20, run, options)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(38)
    expect([count(), errors]).toEqual([2, [failure]])
  })
})

describe('runUntilStopped', () => {
  it('ends the pause and waits for what is running', async () => {
    const gate = Promise.withResolvers<void>()
    const events: string[] = []
    const worker = runUntilStopped(async (signal) => {
      await repeatAfter(LONG_MS, async () => void events.push('run'), {
        signal,
        onError: () => undefined,
      })
      await gate.promise
      events.push('ended')
    })
    const stopped = worker.stop().then(() => events.push('stopped'))
    gate.resolve()
    await stopped
    expect(events).toEqual(['ended', 'stopped'])
  })
})
