import { problem } from '@melmastoon/domain'
import type { FastifyInstance } from 'fastify'

export interface LoadSheddingOptions {
  maxEventLoopDelayMs?: number
}

const TICK_MS = 100
const MAX_EVENT_LOOP_DELAY_MS = 1000

/**
 * A timer that comes late tells how long work waits for the event loop. Two late ticks in a row are
 * overload, one is a hiccup. A request pays for one comparison.
 */
export function registerLoadShedding(app: FastifyInstance, options: LoadSheddingOptions): void {
  const limitMs = options.maxEventLoopDelayMs ?? MAX_EVENT_LOOP_DELAY_MS
  let expectedMs = performance.now() + TICK_MS
  let lateTicks = 0
  const timer = setInterval(() => {
    const nowMs = performance.now()
    lateTicks = nowMs - expectedMs > limitMs ? lateTicks + 1 : 0
    expectedMs = nowMs + TICK_MS
  }, TICK_MS)
  timer.unref()
  app.addHook('onClose', () => clearInterval(timer))
  app.addHook('onRequest', (request, _reply, done) => {
    if (lateTicks < 2 || request.state.config.essential) done()
    else done(problem('MELMASTOON.GENERAL.OVERLOADED'))
  })
}
