import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { pause } from './pause.ts'

const LONG_MS = 60_000

describe('a pause', () => {
  it('takes its time and leaves no listener', async () => {
    const { signal } = new AbortController()
    const startedMs = performance.now()
    const pausing = pause(30, signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await pausing
    // Timers may fire up to a millisecond early.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(29)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('ends with the signal, without an error', async () => {
    const stop = new AbortController()
    const pausing = pause(LONG_MS, stop.signal)
    stop.abort(new Error('stopping'))
    await expect(pausing).resolves.toBeUndefined()
  })

  it('does not begin after the signal', async () => {
    await expect(pause(LONG_MS, AbortSignal.abort())).resolves.toBeUndefined()
  })
})
