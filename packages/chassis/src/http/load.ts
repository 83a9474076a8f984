import type { FastifyInstance } from 'fastify'
import { everyTick } from '../clock/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly traffic: Traffic
  }
}

/** The requests of this process, and whether it is shutting down. Shared by hooks and shutdown. */
export interface Traffic {
  inFlight: number
  /** No longer ready; every response has `Connection: close`. */
  draining: boolean
}

export function registerTraffic(app: FastifyInstance): Traffic {
  const traffic: Traffic = { inFlight: 0, draining: false }
  app.decorate('traffic', traffic)
  return traffic
}

export interface LoadSheddingOptions {
  maxEventLoopDelayMs?: number
}

const TICK_MS = 250
const EVENT_LOOP_DELAY_MAX_MS = 1000

export interface LoadGauge extends Disposable {
  overloaded: boolean
}

/**
 * The delay of a timer shows how long work waits for the event loop. Two late ticks in a row mean
 * overload, a single one does not. A request reads one flag.
 */
export function createLoadGauge(options: LoadSheddingOptions): LoadGauge {
  const limitMs = options.maxEventLoopDelayMs ?? EVENT_LOOP_DELAY_MAX_MS
  let expectedMs = performance.now() + TICK_MS
  let wasLate = false
  const ticks = everyTick(TICK_MS, () => {
    const nowMs = performance.now()
    const isLate = nowMs - expectedMs > limitMs
    gauge.overloaded = isLate && wasLate
    wasLate = isLate
    expectedMs = nowMs + TICK_MS
  })
  const gauge: LoadGauge = {
    overloaded: false,
    [Symbol.dispose]: () => ticks[Symbol.dispose](),
  }
  return gauge
}
