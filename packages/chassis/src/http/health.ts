import { problem } from '@melmastoon/domain'
import type { FastifyInstance } from 'fastify'
import type { Traffic } from './traffic.ts'

/** A check resolves when its dependency answers. Not required: reported, no reason to refuse. */
export interface ReadinessCheck {
  name: string
  required?: boolean
  run(signal: AbortSignal): Promise<unknown>
}

type CheckState = 'ok' | 'failed' | 'timeout'

const CHECK_TIMEOUT_MS = 1000

/**
 * Live says only that the event loop turns: an outage of the database must not restart every
 * instance (ECO-08). Ready says whether to send requests here.
 */
export function registerHealth(
  app: FastifyInstance,
  options: { checks: readonly ReadinessCheck[]; traffic: Traffic },
): void {
  const config = { operation: 'health', essential: true }
  const schema = { hide: true }
  app.get('/health/live', { config, schema }, () => ({ status: 'live' }))
  app.get('/health/ready', { config, schema }, async () => {
    if (options.traffic.draining) throw problem('MELMASTOON.GENERAL.SHUTTING_DOWN')
    const checks = await runChecks(options.checks)
    const failed = options.checks.some(
      ({ name, required = true }) => required && checks[name] !== 'ok',
    )
    if (failed) {
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { extensions: { checks } })
    }
    return { status: 'ready', checks }
  })
}

async function runChecks(
  checks: readonly ReadinessCheck[],
): Promise<Readonly<Record<string, CheckState>>> {
  const states = await Promise.all(
    checks.map(async (check) => [check.name, await runCheck(check)] as const),
  )
  return Object.fromEntries(states)
}

async function runCheck(check: ReadinessCheck): Promise<CheckState> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const expired = new Promise<CheckState>((resolve) => {
    signal.addEventListener('abort', () => resolve('timeout'), { once: true })
  })
  return Promise.race([attempt(check, signal), expired])
}

async function attempt(check: ReadinessCheck, signal: AbortSignal): Promise<CheckState> {
  try {
    await check.run(signal)
    return 'ok'
  } catch {
    return 'failed'
  }
}
