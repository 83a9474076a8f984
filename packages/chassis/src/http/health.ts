import { problem } from '@melmastoon/domain'
import type { FastifyInstance } from 'fastify'
import { type AddressLimit, addressLimitHook } from './address-limits.ts'
import type { Traffic } from './load.ts'

/**
 * Resolves when its dependency responds. One that is not required is reported in the response, but
 * the instance stays ready.
 */
export interface ReadinessCheck {
  name: string
  required?: boolean
  run(signal: AbortSignal): Promise<unknown>
}

export interface HealthOptions {
  readonly checks: readonly ReadinessCheck[]
  readonly traffic: Traffic
  readonly limit: AddressLimit
}

type CheckState = 'ok' | 'failed' | 'timeout'

const CHECK_TIMEOUT_MS = 1000

/**
 * Live means only that the event loop runs: an outage of the database must not restart every
 * instance (ECO-08). Ready means that this instance can serve requests.
 */
export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  const runChecks = shareRuns(options.checks)
  const config = { operation: 'health', essential: true }
  const route = { config, schema: { hide: true }, onRequest: addressLimitHook(options.limit) }
  app.get('/health/live', route, () => ({ status: 'live' }))
  app.get('/health/ready', route, async () => {
    if (options.traffic.draining) throw problem('MELMASTOON.GENERAL.SHUTTING_DOWN')
    const checks = await runChecks()
    const failed = options.checks.some(
      ({ name, required = true }) => required && checks[name] !== 'ok',
    )
    if (failed) {
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { extensions: { checks } })
    }
    return { status: 'ready', checks }
  })
}

/** Requests at the same time share one run: probing never multiplies the load on a dependency. */
function shareRuns(checks: readonly ReadinessCheck[]): () => ReturnType<typeof runAll> {
  let running: ReturnType<typeof runAll> | null = null
  return () => {
    running ??= runAll(checks).finally(() => {
      running = null
    })
    return running
  }
}

async function runAll(
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
