import { createDatabase, sql } from '@melmastoon/chassis/db'
import { LOAD_CORE } from '../harness/cores.ts'
import { startWorker, type Worker } from '../harness/worker.ts'
import type { World } from '../harness/world.ts'
import type { SearchEnvironment } from '../rows/search/search-environment.ts'
import { backofficeEnv } from '../staff/backoffice-environment.ts'
import type { StreamCounts } from '../staff/open-streams.ts'
import { type CacheCounts, countsBetween, hitShare, readCacheCounts } from './cache-hits.ts'
import type { PeakMeasured } from './conditions.ts'
import type { PeakOptions } from './peak-options.ts'
import type { PhaseResult } from './run-phase.ts'
import type { Probed } from './service-probe.ts'
import { type Watched, watchRun } from './watch-run.ts'

export interface PeakRun {
  readonly measured: PeakMeasured
  readonly watched: Watched
  readonly streams: StreamCounts
  readonly caches: CacheCounts
}

export interface PeakScene {
  readonly world: World
  readonly environment: SearchEnvironment
  readonly options: PeakOptions
  /** Their slugs; each has a hotel with staff. */
  readonly tenants: readonly string[]
  readonly say: (line: string) => void
}

const FRESH_SECONDS = 30
const REDIS_DELAY_MS = 10
const SMALL_POOL = '2'

/** One run with a database, a service and a driver of its own. */
export async function runPeak(scene: PeakScene): Promise<PeakRun> {
  const { environment, options, tenants, say } = scene
  const env = await environmentOf(scene)
  await using service = await startProbed(env)
  await using driver = startWorker(new URL('./driver.ts', import.meta.url), { core: LOAD_CORE })
  const iamUrl = environment.sandbox.url
  say(`  signing in ${options.devices} devices at ${tenants.length} hotels`)
  const prepared = { iamUrl, url: service.url, devices: options.devices, tenants }
  const { missing } = (await driver.run('prepare', prepared)) as { readonly missing: string[] }
  await driver.run('openStreams', { url: service.url, count: options.streams })
  const drive = (seconds: number, urls: readonly string[]) =>
    driver.run('drive', {
      rate: options.rate,
      seconds,
      urls,
      without: missing,
    }) as Promise<PhaseResult>
  say(`  warming up for ${options.warmSeconds} s`)
  await drive(options.warmSeconds, [service.url])
  say(`  ${options.rate} requests a second for ${options.seconds} s`)
  const steady = await measureSteady(scene, { env, service, driver }, () =>
    drive(options.seconds, [service.url]),
  )
  say('  a fresh process takes half of the requests')
  const freshP95Ms = await measureFresh(env, service, drive)
  const streams = (await driver.run('streamCounts')) as StreamCounts
  const { phase, watched, probed, caches, ledger } = steady
  return {
    caches,
    watched,
    streams,
    measured: {
      ledger,
      probed,
      hitShare: hitShare(caches),
      steady: phase,
      freshP95Ms,
      streams,
      missingKinds: missing,
      outboxOldestSeconds: watched.outboxOldestSeconds,
      loadCoreShare: watched.cores[LOAD_CORE] ?? 1,
      sandboxShare: watched.processes['sandbox'] ?? 1,
    },
  }
}

type Env = Readonly<Record<string, string>>

async function environmentOf({ world, environment, options }: PeakScene): Promise<Env> {
  const upstreams = { url: environment.sandbox.url, secret: environment.secret }
  const env = { ...(await backofficeEnv(world, upstreams)), ...environment.bus }
  if (options.control === 'pool') return { ...env, DATABASE_POOL_MAX: SMALL_POOL }
  if (options.control !== 'redis') return env
  const proxy = startWorker(new URL('./delayed-redis.ts', import.meta.url), { core: LOAD_CORE })
  const urls = [env['REDIS_SESSION_URL'], env['REDIS_CACHE_URL']]
  const delayed = (await proxy.run('start', { urls, delayMs: REDIS_DELAY_MS })) as string[]
  const [session = '', cache = ''] = delayed
  return { ...env, REDIS_SESSION_URL: session, REDIS_CACHE_URL: cache }
}

interface Probing extends AsyncDisposable {
  readonly url: string
  readonly internalUrl: string
  readonly worker: Worker
}

async function startProbed(env: Env): Promise<Probing> {
  const worker = startWorker(new URL('./probed-server.ts', import.meta.url), { env })
  const listening = (await worker.run('start')) as { url: string; internalUrl: string }
  return { ...listening, worker, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() }
}

interface Running {
  readonly env: Env
  readonly service: Probing
  readonly driver: Worker
}

async function measureSteady(
  { world, environment }: PeakScene,
  { env, service, driver }: Running,
  drive: () => Promise<PhaseResult>,
) {
  const adminUrl = env['DATABASE_URL'] ?? ''
  const postgres = await world.postgres()
  await service.worker.run('reset')
  const [hits, rows] = [await readCacheCounts(service.internalUrl), await countLedger(adminUrl)]
  const serversBefore = { us: world.serversCpuUs(), atMs: performance.now() }
  const watch = watchRun(adminUrl, [
    { name: 'service', pid: service.worker.pid },
    { name: 'driver', pid: driver.pid },
    { name: 'sandbox', pid: environment.sandbox.pid },
    { name: 'Postgres', pid: postgres.pid },
  ])
  const phase = await drive()
  const watched = await watch.stop()
  const { processes } = watched
  const wallUs = (performance.now() - serversBefore.atMs) * 1_000
  const servers = (world.serversCpuUs() - serversBefore.us) / wallUs
  const redis = Math.max(0, servers - (processes['Postgres'] ?? 0))
  return {
    phase,
    watched: withRedis(watched, redis),
    probed: (await service.worker.run('read')) as Probed,
    caches: countsBetween(hits, await readCacheCounts(service.internalUrl)),
    ledger: { rows: (await countLedger(adminUrl)) - rows, expected: phase.ledgerRows },
  }
}

function withRedis(watched: Watched, share: number): Watched {
  return { ...watched, processes: { ...watched.processes, Redis: share } }
}

/** Both processes share the core of the service, as two instances share a machine. */
async function measureFresh(
  env: Env,
  service: Probing,
  drive: (seconds: number, urls: readonly string[]) => Promise<PhaseResult>,
): Promise<number> {
  await using fresh = await startProbed(env)
  const { byTarget } = await drive(FRESH_SECONDS, [service.url, fresh.url])
  return byTarget[1]?.p95Ms ?? Number.NaN
}

async function countLedger(url: string): Promise<number> {
  await using db = createDatabase({ url, poolMax: 1, onError: () => undefined })
  const [row] = await db.query(
    sql<{ total: number }>`select count(*)::int as total from bff_backoffice.operator_activity`,
  )
  return row?.total ?? 0
}
