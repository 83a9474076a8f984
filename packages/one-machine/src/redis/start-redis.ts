import { join } from 'node:path'
import { serverEnvironment } from '../config/environment.ts'
import { assertPortFree } from '../free-port.ts'
import { launchServer } from '../launch-server.ts'
import { MachineError } from '../machine-error.ts'
import { prepareServerFolder, returnData } from '../server-folder.ts'
import { createInstance, type Instance, launchOnPort } from '../server-instance.ts'
import { reachableTool } from '../tools/find-tool.ts'
import { findRedis } from './find-redis.ts'
import { findLiveRedis, isRedisReady, type RedisRecord, writeRedisRecord } from './redis-record.ts'

export type RedisInstance = Instance

export interface RedisOptions {
  readonly dataDir: string
  /** 0 selects a free port. */
  readonly port: number
  /** Sessions must never be evicted (`noeviction`); cached responses may be (`allkeys-lru`). */
  readonly policy: 'noeviction' | 'allkeys-lru'
  readonly databases?: number
  /** Writes an append-only file, flushed every second. */
  readonly persistence?: boolean
  /** An eviction policy acts only at a memory limit, so there always is one. */
  readonly maxMemoryMb?: number
  /** Reuse a server that already runs on this data (default), or fail. */
  readonly reuse?: boolean
}

export async function startRedis(options: RedisOptions): Promise<RedisInstance> {
  const folder = prepareServerFolder(options.dataDir)
  const live = await findLiveRedis(folder.path)
  const kind = {
    name: 'Redis',
    dataDir: folder.path,
    stopSignal: 'SIGTERM' as const,
    url: (port: number) => `redis://127.0.0.1:${port}`,
    launch: (port: number) => launchRedis(port, options),
    release: () => returnData(folder),
  }
  if (live !== null) {
    assertReusable(options, live)
    return createInstance(kind, { ...live, reused: true })
  }
  if (options.port !== 0) await assertPortFree(options.port, 'Redis')
  return createInstance(kind, await launchOnPort(kind, options.port))
}

function assertReusable(options: RedisOptions, live: RedisRecord): void {
  const portFits = options.port === 0 || options.port === live.port
  if (options.reuse !== false && portFits) return
  const sentence = `Redis already runs on ${options.dataDir} (process ${live.pid}, port ${live.port}): stop it, or use that port.`
  throw new MachineError('ALREADY_RUNNING', sentence)
}

async function launchRedis(port: number, options: RedisOptions): Promise<number> {
  const folder = prepareServerFolder(options.dataDir)
  const tool = reachableTool(await findRedis(), folder)
  return launchServer({
    name: 'Redis',
    command: tool.path,
    args: redisArguments(port, options, folder.path),
    env: serverEnvironment(tool.env),
    cwd: folder.path,
    identity: folder.identity,
    logFile: join(folder.path, 'redis.log'),
    onSpawn: (pid) => writeRedisRecord(folder.path, { pid, port }),
    isReady: (pid) => isRedisReady({ pid, port }),
  })
}

function redisArguments(port: number, options: RedisOptions, folder: string): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    daemonize: 'no',
    save: '',
    appendonly: options.persistence === true ? 'yes' : 'no',
    databases: String(options.databases ?? 16),
    maxmemory: `${options.maxMemoryMb ?? 512}mb`,
    'maxmemory-policy': options.policy,
  }
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
}
