import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, ensureRoles, migrate, rawSql } from '@melmastoon/chassis/db'
import { serviceMigrations } from '@melmastoon/chassis/service'
import {
  dataRoot,
  type Instance,
  removeFolder,
  startPostgres,
  startRedis,
} from '@melmastoon/one-machine'
import { service as exampleService } from '@melmastoon/testkit/example-service'
import { fixedKeys } from '@melmastoon/testkit/service-env'
import { LOAD_CORE, moveToCore } from './cores.ts'
import { CpuTime } from './cpu-time.ts'
import { arePeersInstalled } from './peers.ts'
import type { BenchWorld, Growth, MigratedService } from './row.ts'

/** As durable as in production: every commit is flushed. Only checkpoints are deferred. */
const POSTGRES_SETTINGS = { max_wal_size: '4GB', checkpoint_timeout: '30min' }
/** The short form compares nothing, so its commits need not be flushed. */
const SHORT_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

interface WorldOptions {
  readonly short: boolean
  readonly withPeers: boolean
  readonly growth?: Growth
}

type ServerName = 'postgres' | 'postgres-of-upstreams' | 'session' | 'cache'

/** The servers of one run, started on first use, on free ports. */
export class World implements BenchWorld, AsyncDisposable {
  readonly short: boolean
  readonly growth: Growth
  readonly peersInstalled: boolean
  readonly #home = join(dataRoot(), `bench-${process.pid}`)
  readonly #servers = new Map<string, Promise<Instance>>()
  readonly #running: Instance[] = []
  /** Numbers of databases, in Postgres and in Redis. */
  #databases = 0
  /** Of Postgres and Redis; servers that rows adopt are alternatives. */
  readonly #serversCpu: CpuTime[] = []
  readonly #killAll = () => this.#running.forEach(killNow)

  constructor({ short, withPeers, growth = 'usual' }: WorldOptions) {
    this.short = short
    this.growth = growth
    this.peersInstalled = withPeers && arePeersInstalled()
    process.once('exit', this.#killAll)
  }

  pick(full: number, short: number): number {
    return this.short ? short : full
  }

  async postgres(name: Extract<ServerName, `postgres${string}`> = 'postgres'): Promise<Instance> {
    return this.#server(name, (dataDir) =>
      startPostgres({
        dataDir,
        port: 0,
        maxConnections: 200,
        settings: { ...POSTGRES_SETTINGS, ...(this.short && SHORT_SETTINGS) },
      }),
    )
  }

  async redisUrl(instance: 'session' | 'cache'): Promise<string> {
    const policy = instance === 'session' ? 'noeviction' : 'allkeys-lru'
    const options = { port: 0, policy, databases: 1024, maxMemoryMb: 1024 } as const
    const server = await this.#server(instance, (dataDir) => startRedis({ ...options, dataDir }))
    return server.url
  }

  async emptyRedis(instance: 'session' | 'cache'): Promise<string> {
    return `${await this.redisUrl(instance)}/${++this.#databases}`
  }

  folder(name: string): string {
    const path = join(this.#home, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  async emptyDatabase({ isUpstream = false } = {}): Promise<string> {
    const name = `bench_${++this.#databases}`
    // Nothing is compared in the short form.
    const isOwn = isUpstream && !this.short
    const server = await this.postgres(isOwn ? 'postgres-of-upstreams' : 'postgres')
    await using admin = createDatabase({ url: server.url, poolMax: 1, onError: () => undefined })
    await admin.query(rawSql(`create database ${name}`))
    return `postgres://postgres@127.0.0.1:${server.port}/${name}`
  }

  adopt(server: Instance): void {
    this.#running.push(server)
  }

  serversCpuUs(): number {
    return this.#serversCpu.reduce((sum, cpu) => sum + cpu.readUs(), 0)
  }

  async exampleEnv(): Promise<Record<string, string>> {
    return this.serviceEnv(exampleService)
  }

  async serviceEnv(
    service: MigratedService,
    options: { readonly isUpstream?: boolean } = {},
  ): Promise<Record<string, string>> {
    const { schema } = service.config
    const [admin, session, cache] = await Promise.all([
      this.emptyDatabase(options),
      this.redisUrl('session'),
      this.redisUrl('cache'),
    ])
    const number = this.#databases
    const urlOf = (role: string) => admin.replace('//postgres@', `//${schema}_${role}@`)
    const migrations = await serviceMigrations(service)
    await ensureRoles(admin, schema, { migrations })
    await migrate({ url: admin, schema, migrations })
    return {
      PORT: '0',
      INTERNAL_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: admin,
      DATABASE_APP_URL: urlOf('app'),
      DATABASE_RELAY_URL: urlOf('relay'),
      DATABASE_OWNER_URL: urlOf('owner'),
      REDIS_SESSION_URL: `${session}/${number}`,
      REDIS_CACHE_URL: `${cache}/${number}`,
      SESSION_KEYS: fixedKeys('session', 's1'),
      IDEMPOTENCY_SECRET: 'no secret at all, but long enough to be one',
      INTERNAL_SECRET: 'no secret either, but long enough to be one',
      LOG_LEVEL: 'silent',
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#servers.values())
    await Promise.all(this.#running.map((server) => server.kill()))
    process.off('exit', this.#killAll)
    for (const { dataDir } of this.#running) removeFolder(dataDir)
    removeFolder(this.#home)
  }

  #server(name: ServerName, start: (dataDir: string) => Promise<Instance>): Promise<Instance> {
    const known = this.#servers.get(name)
    if (known !== undefined) return known
    const started = start(join(this.#home, name)).then(async (server) => {
      this.#running.push(server)
      if (name !== 'postgres-of-upstreams') this.#serversCpu.push(new CpuTime(server.pid))
      await moveToCore(LOAD_CORE, server.pid)
      return server
    })
    this.#servers.set(name, started)
    return started
  }
}

/** For an abrupt exit, when only a signal can be sent. */
function killNow(server: Instance): void {
  try {
    process.kill(server.pid, 'SIGKILL')
  } catch {
    return
  }
}
