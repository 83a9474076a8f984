export interface LoadSheddingOptions {
  maxEventLoopDelayMs?: number
}

const TICK_MS = 100
const EVENT_LOOP_DELAY_MAX_MS = 1000

export interface LoadGauge extends Disposable {
  overloaded: boolean
}

/**
 * A timer that comes late tells how long work waits for the event loop. Two late ticks in a row are
 * overload, one is a hiccup. A request pays for reading one flag.
 */
export function createLoadGauge(options: LoadSheddingOptions): LoadGauge {
  const limitMs = options.maxEventLoopDelayMs ?? EVENT_LOOP_DELAY_MAX_MS
  let expectedMs = performance.now() + TICK_MS
  let wasLate = false
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const isLate = nowMs - expectedMs > limitMs
    gauge.overloaded = isLate && wasLate
    wasLate = isLate
    expectedMs = nowMs + TICK_MS
  }, TICK_MS)
  timer.unref()
  const gauge: LoadGauge = {
    overloaded: false,
    [Symbol.dispose]: () => clearInterval(timer),
  }
  return gauge
}
