import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServicePorts } from './ports.ts'
import type { Reporter } from './reporter.ts'
import type { RestartLimits } from './restart-policy.ts'
import type { RunRecord } from './run-record.ts'
import { runScript } from './run-script.ts'
import { type Surroundings, serviceEnv } from './service-env.ts'
import { openServiceLog } from './service-log.ts'
import { createServiceProcess, type ServiceProcess } from './service-process.ts'
import type { ServiceSpec } from './service-spec.ts'
import { stopInOrder } from './stop-in-order.ts'

export interface Supervisor {
  /** Migrates, seeds and starts every service; resolves when all are ready. */
  start(): Promise<void>
  stop(withinMs: number): Promise<void>
}

export interface SupervisorOptions {
  services: readonly ServiceSpec[]
  ports: ReadonlyMap<string, ServicePorts>
  surroundings: Surroundings
  record: RunRecord
  reporter: Reporter
  signal: AbortSignal
  verbose: boolean
  readyTimeoutMs?: number
  restartLimits?: RestartLimits
}

const READY_SECONDS = 30

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const failing = new AbortController()
  const signal = AbortSignal.any([options.signal, failing.signal])
  const running = new Map<string, ServiceProcess>()
  const starts = new Map<string, Promise<void>>()

  const startOne = async (spec: ServiceSpec): Promise<void> => {
    await Promise.all(spec.after.map((name) => starts.get(name) ?? Promise.resolve()))
    const env = serviceEnv(spec, options.surroundings)
    await prepare(spec, env, { ...options, signal })
    const service = createService(spec, env, { ...options, signal })
    running.set(spec.name, service)
    const port = options.ports.get(spec.name)?.port ?? spec.port
    await options.reporter.step(
      spec.name,
      () => service.start(),
      () => `${spec.name} on http://127.0.0.1:${port}`,
    )
  }

  return {
    async start() {
      for (const spec of options.services) {
        const starting = startOne(spec)
        starting.catch((error) => failing.abort(error))
        starts.set(spec.name, starting)
      }
      await Promise.allSettled(starts.values())
      options.signal.throwIfAborted()
      if (failing.signal.aborted) throw failing.signal.reason
    },
    async stop(withinMs) {
      failing.abort(new Error('stopping'))
      await Promise.allSettled(starts.values())
      await stopInOrder({ services: options.services, running, withinMs })
    },
  }
}

interface SupervisorContext extends SupervisorOptions {
  signal: AbortSignal
}

async function prepare(spec: ServiceSpec, env: Record<string, string>, context: SupervisorContext) {
  for (const [verb, done, program, args] of [
    ['migrating', 'migrated', spec.entry, ['migrate']],
    ['seeding', 'seeded', spec.seed, []],
  ] as const) {
    if (program === undefined) continue
    const what = `${verb} ${spec.name}`
    const { folder } = spec
    await context.reporter.step(
      what,
      () => runScript({ what, program, args, folder, env, signal: context.signal }),
      () => `${spec.name} ${done}`,
    )
  }
}

function createService(spec: ServiceSpec, env: Record<string, string>, context: SupervisorContext) {
  const { reporter, record, signal, surroundings } = context
  const folder = join(surroundings.dataFolder, 'logs')
  mkdirSync(folder, { recursive: true })
  const prefix = reporter.dim(`${spec.name} |`)
  const log = openServiceLog({
    file: join(folder, `${spec.name}.log`),
    ...(context.verbose && { onLine: (line: string) => reporter.say(`${prefix} ${line}`) }),
  })
  return createServiceProcess({
    spec,
    port: context.ports.get(spec.name)?.port ?? spec.port,
    env,
    log,
    record,
    signal,
    readyTimeoutMs: context.readyTimeoutMs ?? (spec.readySeconds ?? READY_SECONDS) * 1_000,
    ...(context.restartLimits !== undefined && { restartLimits: context.restartLimits }),
    onRestart: (name, how, delayMs) =>
      reporter.warn(`${name} ended (${how}): restarting it in ${delayMs / 1000} s`),
    onGiveUp: (error) => reporter.failure(error.message),
  })
}
