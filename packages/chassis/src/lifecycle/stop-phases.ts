import type { Logger } from '../telemetry/index.ts'

/** One step of a shutdown. The signal fires when its time is over; the next step begins anyway. */
export interface StopPhase {
  name: string
  timeoutMs: number
  run(signal: AbortSignal): Promise<unknown>
}

export interface StopResult {
  phase: string
  outcome: 'done' | 'failed' | 'timeout'
}

/**
 * Runs the phases in order. Each has its own limit and all together have one, because the platform
 * kills the process ten seconds after the signal (ECO-12).
 */
export async function runStopPhases(
  phases: readonly StopPhase[],
  options: { totalMs: number; logger: Logger },
): Promise<StopResult[]> {
  const endsAtMs = performance.now() + options.totalMs
  const results: StopResult[] = []
  for (const phase of phases) {
    const startedMs = performance.now()
    const limitMs = Math.max(1, Math.min(phase.timeoutMs, endsAtMs - startedMs))
    const outcome = await runPhase(phase, limitMs, options.logger)
    results.push({ phase: phase.name, outcome })
    const durationMs = Math.round(performance.now() - startedMs)
    options.logger.info({ phase: phase.name, outcome, durationMs }, 'shutdown phase')
  }
  return results
}

async function runPhase(
  phase: StopPhase,
  limitMs: number,
  logger: Logger,
): Promise<StopResult['outcome']> {
  const controller = new AbortController()
  const { promise: expired, resolve: expire } = Promise.withResolvers<'timeout'>()
  const timer = setTimeout(() => {
    expire('timeout')
    controller.abort(new DOMException('shutdown phase is over', 'TimeoutError'))
  }, limitMs)
  try {
    return await Promise.race([phase.run(controller.signal).then(() => 'done' as const), expired])
  } catch (error) {
    logger.error({ error, phase: phase.name }, 'shutdown phase failed')
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
