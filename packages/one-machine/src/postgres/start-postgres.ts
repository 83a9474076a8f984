import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverEnvironment } from '../config/environment.ts'
import { assertPortFree } from '../free-port.ts'
import { launchServer } from '../launch-server.ts'
import { MachineError } from '../machine-error.ts'
import { prepareServerFolder, returnData, type ServerFolder } from '../server-folder.ts'
import { createInstance, type Instance, launchOnPort, type ServerKind } from '../server-instance.ts'
import { clusterIn, initCluster } from './init-cluster.ts'
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts'
import {
  disarmStalePostmasterFile,
  findLivePostgres,
  readPostmasterFile,
} from './postmaster-file.ts'

export interface PostgresOptions {
  readonly dataDir: string
  /** 0 selects a free port. */
  readonly port: number
  readonly maxConnections?: number
  /** Server settings by name, given on the command line. */
  readonly settings?: Readonly<Record<string, string>>
  /** Reuse a server that already runs on this data (default), or fail. */
  readonly reuse?: boolean
}

export type PostgresInstance = Instance

interface Plan {
  readonly folder: ServerFolder
  readonly programs: PostgresPrograms
  readonly settings: Readonly<Record<string, string>>
}

export async function startPostgres(options: PostgresOptions): Promise<PostgresInstance> {
  const folder = prepareServerFolder(options.dataDir)
  const kind = postgresKind(folder, options)
  const live = findLivePostgres(clusterIn(folder))
  if (live !== null) {
    assertReusable(options, live)
    return createInstance(kind, { ...live, reused: true })
  }
  if (options.port !== 0) await assertPortFree(options.port, 'Postgres')
  return createInstance(kind, await launchOnPort(kind, options.port))
}

function postgresKind(folder: ServerFolder, options: PostgresOptions): ServerKind {
  return {
    name: 'Postgres',
    dataDir: folder.path,
    stopSignal: 'SIGINT',
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    launch: async (port) => launchPostgres(await makePlan(options), port),
    release: () => returnData(folder),
  }
}

/** Made for each launch: the data may have been moved while the server was stopped. */
async function makePlan(options: PostgresOptions): Promise<Plan> {
  const folder = prepareServerFolder(options.dataDir)
  const programs = findPostgresPrograms(folder)
  const durable = options.settings?.['fsync'] !== 'off'
  await initCluster(folder, programs, { durable })
  const settings = {
    listen_addresses: '127.0.0.1',
    // All clients connect by TCP, and the path of a socket file would be limited to 107 bytes.
    unix_socket_directories: '',
    max_connections: String(options.maxConnections ?? 200),
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  return { folder, programs, settings }
}

function assertReusable(options: PostgresOptions, live: { pid: number; port: number }): void {
  const portFits = options.port === 0 || options.port === live.port
  if (options.reuse !== false && portFits) return
  const sentence = `Postgres already runs on ${options.dataDir} (process ${live.pid}, port ${live.port}): stop it, or use that port.`
  throw new MachineError('ALREADY_RUNNING', sentence)
}

/**
 * After SIGKILL the orphaned backends need a moment to exit; until then Postgres does not start.
 */
async function launchPostgres(plan: Plan, port: number): Promise<number> {
  disarmStalePostmasterFile(clusterIn(plan.folder))
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchOnce(plan, port)
    } catch (error) {
      const orphans = error instanceof MachineError && /shared memory block/.test(error.message)
      if (!orphans || attempt === 50) throw error
      await sleep(100)
    }
  }
}

function launchOnce({ folder, programs, settings }: Plan, port: number): Promise<number> {
  const cluster = clusterIn(folder)
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return launchServer({
    name: 'Postgres',
    command: programs.postgres,
    args: ['-D', cluster, '-p', String(port), ...flags],
    env: serverEnvironment({ LD_LIBRARY_PATH: programs.libraries }),
    cwd: folder.path,
    identity: folder.identity,
    logFile: join(folder.path, 'postgres.log'),
    isReady: async (pid) => {
      const file = readPostmasterFile(cluster)
      return file !== null && file.pid === pid && file.ready
    },
  })
}
