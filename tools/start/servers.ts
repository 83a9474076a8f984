import { join } from 'node:path'
import { type Instance, MachineError, startPostgres, startRedis } from '@melmastoon/one-machine'
import { checkRedis } from './check-redis.ts'
import { ensureDatabase } from './ensure-database.ts'
import { portTaken } from './messages.ts'
import type { Reporter } from './reporter.ts'
import type { StartOptions } from './start-options.ts'

export interface Server {
  name: string
  instance: Instance
}

export interface Servers {
  databaseUrl: string
  redisSessionUrl: string
  redisCacheUrl: string
}

export interface ServersOptions {
  options: StartOptions
  dataFolder: string
  reporter: Reporter
  /** Called for each server once it runs, so that it is stopped even if a later step fails. */
  onServer(server: Server): void
}

const DATABASE = 'melmastoon'

/** The three servers of the product: those of the caller if configured, otherwise local ones. */
export async function startServers(context: ServersOptions): Promise<Servers> {
  // Waits for both even if one fails: no server may still be starting when the caller stops them.
  const [postgres, redis] = await Promise.allSettled([
    openPostgres(context),
    openBothRedis(context),
  ])
  if (postgres.status === 'rejected') throw postgres.reason
  if (redis.status === 'rejected') throw redis.reason
  return { databaseUrl: postgres.value, ...redis.value }
}

async function openPostgres(context: ServersOptions): Promise<string> {
  const { options, dataFolder, reporter } = context
  const external = options.databaseUrl
  if (external !== undefined) {
    await reporter.step('your database is reachable', () =>
      ensureDatabase(external, 'DATABASE_URL'),
    )
    return external
  }
  const server = await reporter.step(
    'postgres',
    () =>
      open(context, {
        name: 'postgres',
        port: options.postgresPort,
        variable: 'MELMASTOON_POSTGRES_PORT',
        start: (port) => startPostgres({ dataDir: join(dataFolder, 'postgres'), port }),
      }),
    describe('postgres'),
  )
  const url = new URL(server.url)
  url.pathname = `/${DATABASE}`
  await reporter.step(`database ${DATABASE}`, () => ensureDatabase(url.href, 'Postgres'))
  return url.href
}

/** In sequence: if Redis must be downloaded first, the second server finds it installed. */
async function openBothRedis(context: ServersOptions) {
  const { options } = context
  const redisSessionUrl = await openRedis(context, {
    name: 'redis sessions',
    folder: 'redis-sessions',
    external: options.redisSessionUrl,
    externalVariable: 'REDIS_SESSION_URL',
    port: options.redisSessionPort,
    portVariable: 'MELMASTOON_REDIS_SESSION_PORT',
    policy: 'noeviction',
  })
  const redisCacheUrl = await openRedis(context, {
    name: 'redis caches',
    folder: 'redis-caches',
    external: options.redisCacheUrl,
    externalVariable: 'REDIS_CACHE_URL',
    port: options.redisCachePort,
    portVariable: 'MELMASTOON_REDIS_CACHE_PORT',
    policy: 'allkeys-lru',
  })
  return { redisSessionUrl, redisCacheUrl }
}

interface RedisPlan {
  name: string
  folder: string
  external: string | undefined
  externalVariable: string
  port: number
  portVariable: string
  policy: 'noeviction' | 'allkeys-lru'
}

async function openRedis(context: ServersOptions, plan: RedisPlan): Promise<string> {
  const { external, policy } = plan
  if (external !== undefined) {
    const check = () => checkRedis(external, plan.externalVariable)
    await context.reporter.step(`your ${plan.name} is reachable`, check)
    return external
  }
  const dataDir = join(context.dataFolder, plan.folder)
  const persistence = policy === 'noeviction'
  const instance = await context.reporter.step(
    plan.name,
    () =>
      open(context, {
        name: plan.name,
        port: plan.port,
        variable: plan.portVariable,
        start: (port) => startRedis({ dataDir, port, policy, persistence }),
      }),
    describe(plan.name),
  )
  return instance.url
}

interface Opening {
  name: string
  port: number
  variable: string
  start(port: number): Promise<Instance>
}

async function open(context: ServersOptions, opening: Opening): Promise<Instance> {
  const { name, port, variable } = opening
  try {
    const instance = await opening.start(port).catch((error) => moveLeftover(error, opening))
    context.onServer({ name, instance })
    return instance
  } catch (error) {
    const taken = error instanceof MachineError && error.code === 'PORT_BUSY'
    throw taken ? portTaken(name, port, variable) : error
  }
}

/** A killed supervisor left the server running on a different port. */
async function moveLeftover(error: unknown, opening: Opening): Promise<Instance> {
  if (!(error instanceof MachineError) || error.code !== 'ALREADY_RUNNING') throw error
  const leftover = await opening.start(0)
  await leftover.stop()
  return opening.start(opening.port)
}

function describe(name: string): (instance: Instance) => string {
  return ({ host, port, reused }) => `${name} on ${host}:${port}${reused ? ', still running' : ''}`
}
