import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { discoverServices } from './discover-services.ts'
import { openMachineSecrets } from './machine-secrets.ts'
import { notWritable } from './messages.ts'
import { assertPortsFree, assignPorts, type ServicePorts } from './ports.ts'
import type { Reporter } from './reporter.ts'
import type { RestartLimits } from './restart-policy.ts'
import { recordPorts } from './run-addresses.ts'
import { takeRunLock } from './run-lock.ts'
import { createRunRecord, type RunRecord, stopLeftovers } from './run-record.ts'
import { type Server, startServers } from './servers.ts'
import type { StartOptions } from './start-options.ts'
import { createSupervisor } from './supervisor.ts'
import { type ServerWatch, watchServer } from './watch-server.ts'
import { welcome } from './welcome.ts'
import { wipeData } from './wipe-data.ts'

export interface ProductOptions {
  root: string
  dataFolder: string
  options: StartOptions
  env: Readonly<Record<string, string | undefined>>
  reporter: Reporter
  /** Aborted to stop the product, also during the start. */
  signal: AbortSignal
  readyTimeoutMs?: number
  servicesStopMs?: number
  restartLimits?: RestartLimits
}

/** Together less than ten seconds, the usual limit of service managers. */
const SERVICES_STOP_MS = 6500
const SERVERS_STOP_MS = 2500
const LEFTOVER_GRACE_MS = 2000

/** Starts everything, waits for the signal, stops everything; rejects if a start fails. */
export async function runProduct(product: ProductOptions): Promise<void> {
  const runFolder = join(product.dataFolder, 'run')
  const writable = onWritable(product.dataFolder)
  writable(() => mkdirSync(runFolder, { recursive: true }))
  using _lock = writable(() => takeRunLock(runFolder))
  const left = await stopLeftovers(runFolder, LEFTOVER_GRACE_MS)
  if (left > 0)
    product.reporter.warn(`stopped ${left} process(es) of an earlier run that was killed`)
  const record = writable(() => createRunRecord(runFolder))
  if (product.options.fresh) {
    const wipe = () => wipeData(product.dataFolder)
    await product.reporter.step('deleting the data', wipe, () => 'earlier data deleted')
  }
  await superviseUntilStopped(product, record)
}

async function superviseUntilStopped(product: ProductOptions, record: RunRecord): Promise<void> {
  const { root, dataFolder, options, env, reporter, signal } = product
  const startedAt = performance.now()
  const services = discoverServices(root)
  const ports = assignPorts(services, env)
  await assertPortsFree(ports)
  recordPorts(join(dataFolder, 'run'), portsOf(options, ports))
  const servers: Server[] = []
  const onServer = (server: Server) => void servers.push(server)
  try {
    const urls = await startServers({ options, dataFolder, reporter, onServer })
    signal.throwIfAborted()
    const secrets = onWritable(dataFolder)(() => openMachineSecrets(dataFolder))
    const { eventTransport, verbose } = options
    const inherited = env
    const surroundings = { inherited, servers: urls, eventTransport, ports, secrets, dataFolder }
    const supervisor = createSupervisor({
      ...product,
      services,
      ports,
      surroundings,
      record,
      verbose,
    })
    const watches = servers.map((server) => watch(server, reporter))
    try {
      await supervisor.start()
      const logFolder = join(dataFolder, 'logs')
      const elapsedMs = performance.now() - startedAt
      welcome(reporter, { services, ports, servers: urls, logFolder, elapsedMs })
      await untilAborted(signal)
    } finally {
      if (signal.aborted) reporter.say()
      await Promise.all(watches.map((watching) => watching.end()))
      await stopStep(product, 'services', () =>
        supervisor.stop(product.servicesStopMs ?? SERVICES_STOP_MS),
      )
    }
  } finally {
    await stopStep(product, 'servers', () => stopServers(servers))
  }
}

function portsOf(options: StartOptions, services: ReadonlyMap<string, ServicePorts>): number[] {
  const { postgresPort, redisSessionPort, redisCachePort } = options
  const own = [...services.values()].flatMap(({ port, internalPort }) => [port, internalPort])
  return [postgresPort, redisSessionPort, redisCachePort, ...own]
}

function stopStep(product: ProductOptions, what: string, stop: () => Promise<unknown>) {
  return product.reporter.step(`stopping the ${what}`, stop, () => `${what} stopped`)
}

function watch(server: Server, reporter: Reporter): ServerWatch {
  return watchServer({
    server,
    onRestart: (name) => reporter.warn(`${name} has exited: restarting it`),
    onGiveUp: (name, reason) => reporter.failure(`${name} is stopped: ${reason}`),
  })
}

async function stopServers(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(async ({ instance }) => {
      const lost = setTimeout(() => void instance.kill(), SERVERS_STOP_MS)
      await instance.stop()
      clearTimeout(lost)
    }),
  )
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  // If all servers belong to the caller, nothing else would prevent this process from exiting.
  const awake = setInterval(() => undefined, 60_000)
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearInterval(awake))
}

const WRITE_ERRORS = ['EACCES', 'EROFS', 'EPERM', 'ENOSPC', 'ENOTDIR']

function onWritable(folder: string) {
  return <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      throw WRITE_ERRORS.includes(code) ? notWritable(folder) : error
    }
  }
}
