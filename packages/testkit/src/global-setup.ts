import { join } from 'node:path'
import {
  dataRoot,
  type Instance,
  removeDeadRuns,
  removeFolder,
  startPostgres,
  startRedis,
} from '@melmastoon/one-machine'
import type { TestProject } from 'vitest/node'
import type {} from './infra.ts'

/** Tests never kill this Postgres, so it does not need durable writes. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '2GB',
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeDeadRuns('test')
  const folder = join(dataRoot(), `test-${process.pid}`)
  const servers = await startServers(folder)
  const killAll = () => Object.values(servers).forEach(killNow)
  process.once('exit', killAll)
  project.provide('infra', {
    postgresUrl: servers.postgres.url,
    redisSessionUrl: servers.session.url,
    redisCacheUrl: servers.cache.url,
  })
  return async () => {
    await Promise.all(Object.values(servers).map((server) => server.kill()))
    process.off('exit', killAll)
    removeFolder(folder)
    for (const server of Object.values(servers)) removeFolder(server.dataDir)
  }
}

type Servers = Record<'postgres' | 'session' | 'cache', Instance>

/** If one server fails to start, the others are stopped. */
async function startServers(folder: string): Promise<Servers> {
  const redis = { port: 0, databases: 1024 }
  const starting = {
    postgres: startPostgres({
      dataDir: join(folder, 'postgres'),
      port: 0,
      maxConnections: 400,
      settings: fastSettings,
    }),
    session: startRedis({ ...redis, dataDir: join(folder, 'session'), policy: 'noeviction' }),
    cache: startRedis({ ...redis, dataDir: join(folder, 'cache'), policy: 'allkeys-lru' }),
  }
  const outcomes = await Promise.allSettled(Object.values(starting))
  if (outcomes.some((outcome) => outcome.status === 'rejected')) {
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') killNow(outcome.value)
    removeFolder(folder)
  }
  const [postgres, session, cache] = await Promise.all([
    starting.postgres,
    starting.session,
    starting.cache,
  ])
  return { postgres, session, cache }
}

/** For a run that ends without its tear-down: at that point only a signal can be sent. */
function killNow(server: Instance): void {
  try {
    process.kill(server.pid, 'SIGKILL')
  } catch {
    return
  }
}
