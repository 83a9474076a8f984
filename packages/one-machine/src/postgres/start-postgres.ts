import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverEnvironment } from '../config/environment.ts'
import { assertPortFree } from '../free-port.ts'
import { launchServer } from '../launch-server.ts'
import { MachineError } from '../machine-error.ts'
import { createFolder, own, prepareServerFolder, type ServerFolder } from '../server-folder.ts'
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
  /** 0 takes a free one. */
  readonly port: number
  readonly maxConnections?: number
  /** Server settings by name, given on the command line. */
  readonly settings?: Readonly<Record<string, string>>
  /** Take over a server that already runs on this data (default), or refuse. */
  readonly reuse?: boolean
}

export interface PostgresInstance extends Instance {
  readonly socketDir: string
}

interface Plan {
  readonly folder: ServerFolder
  readonly programs: PostgresPrograms
  readonly cluster: string
  readonly socketDir: string
  readonly settings: Readonly<Record<string, string>>
}

/** The system allows 107 bytes for a socket's whole path; the file's own name takes some 18. */
const socketFolderMaxLength = 85

export async function startPostgres(options: PostgresOptions): Promise<PostgresInstance> {
  const folder = prepareServerFolder(options.dataDir)
  const live = findLivePostgres(clusterIn(folder))
  if (live !== null) assertReusable(options, live)
  else if (options.port !== 0) await assertPortFree(options.port, 'Postgres')
  const plan = await makePlan(folder, options)
  const kind = postgresKind(plan)
  if (live !== null) return withSocket(createInstance(kind, { ...live, reused: true }), plan)
  return withSocket(createInstance(kind, await launchOnPort(kind, options.port)), plan)
}

async function makePlan(folder: ServerFolder, options: PostgresOptions): Promise<Plan> {
  const programs = findPostgresPrograms(folder.identity)
  const durable = options.settings?.['fsync'] !== 'off'
  await initCluster(folder, programs, { durable })
  const settings = {
    listen_addresses: '127.0.0.1',
    max_connections: String(options.maxConnections ?? 200),
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  const socketDir = prepareSocketFolder(folder)
  return { folder, programs, cluster: clusterIn(folder), socketDir, settings }
}

function prepareSocketFolder(folder: ServerFolder): string {
  const inside = join(folder.path, 'socket')
  const name = `mel-${createHash('sha256').update(inside).digest('hex').slice(0, 12)}`
  const path = inside.length <= socketFolderMaxLength ? inside : join(tmpdir(), name)
  createFolder(path)
  own(path, folder.identity)
  return path
}

function assertReusable(options: PostgresOptions, live: { pid: number; port: number }): void {
  const portFits = options.port === 0 || options.port === live.port
  if (options.reuse !== false && portFits) return
  const sentence = `Postgres already runs on ${options.dataDir} (process ${live.pid}, port ${live.port}): stop it, or ask for that port.`
  throw new MachineError('ALREADY_RUNNING', sentence)
}

function withSocket(instance: Instance, plan: Plan): PostgresInstance {
  const descriptors = Object.getOwnPropertyDescriptors(instance)
  return Object.defineProperties({ socketDir: plan.socketDir }, descriptors) as PostgresInstance
}

function postgresKind(plan: Plan): ServerKind {
  return {
    name: 'Postgres',
    dataDir: plan.folder.path,
    stopSignal: 'SIGINT',
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    launch: (port) => launchPostgres(plan, port),
  }
}

/** After SIGKILL the orphaned backends need a moment to notice; until then Postgres refuses. */
async function launchPostgres(plan: Plan, port: number): Promise<number> {
  disarmStalePostmasterFile(plan.cluster)
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

function launchOnce(plan: Plan, port: number): Promise<number> {
  const settings = Object.entries({
    ...plan.settings,
    unix_socket_directories: plan.socketDir,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return launchServer({
    name: 'Postgres',
    command: plan.programs.postgres,
    args: ['-D', plan.cluster, '-p', String(port), ...settings],
    env: serverEnvironment({ LD_LIBRARY_PATH: plan.programs.libraries }),
    cwd: plan.folder.path,
    identity: plan.folder.identity,
    logFile: join(plan.folder.path, 'postgres.log'),
    isReady: async (pid) => {
      const file = readPostmasterFile(plan.cluster)
      return file !== null && file.pid === pid && file.ready
    },
  })
}
