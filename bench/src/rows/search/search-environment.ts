import { consumerService } from '@melmastoon/bff-consumer-service'
import { sandboxService } from '@melmastoon/platform-sandbox'
import { fixedKeys } from '@melmastoon/testkit/service-env'
import { LOAD_CORE } from '../../harness/cores.ts'
import type { PageServer } from '../../harness/page-server.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { sendWhenReady, startedSession } from '../../harness/send-when-ready.ts'
import { startWorker, type Worker } from '../../harness/worker.ts'
import { type Query, queryFor, VISITOR } from './queries.ts'

const SERVICE_SECRET = 'no secret between services, but long enough'
const SMALL_WORLD = '60'

type UpstreamName = 'search' | 'pricing' | 'theme' | 'property' | 'tenant'

/** The sandbox with its demo world, and how to call it. */
export interface SearchEnvironment extends AsyncDisposable {
  readonly sandbox: PageServer
  readonly upstreams: Readonly<Record<UpstreamName, string>>
  readonly secret: string
  readonly query: Query
  /** Its event bus: a service with these settings receives its events. */
  readonly bus: Readonly<Record<'REDIS_SESSION_URL' | 'REDIS_CACHE_URL', string>>
}

export interface SandboxOptions {
  readonly isSmall?: boolean
  /** More settings of the sandbox. */
  readonly env?: Readonly<Record<string, string>>
}

const shared = new WeakMap<BenchWorld, Promise<SearchEnvironment>>()

/**
 * In the short form, which compares nothing, all rows share one sandbox. Rows that use one hotel
 * need no more than a small world.
 */
export function startSearchEnvironment(
  world: BenchWorld,
  { isSmall = false, env = {} }: SandboxOptions = {},
): Promise<SearchEnvironment> {
  if (!world.short) return startSandbox(world, { isSmall, env })
  const environment = shared.get(world) ?? startSandbox(world, { isSmall: true, env })
  shared.set(world, environment)
  return environment
}

async function startSandbox(
  world: BenchWorld,
  { isSmall = false, env: more = {} }: SandboxOptions,
): Promise<SearchEnvironment> {
  const env: Record<string, string> = {
    ...(await world.serviceEnv(sandboxService, { isUpstream: true })),
    SERVICE_SECRET,
    WEBHOOK_SECRET: SERVICE_SECRET,
    // The sandbox does not start with NODE_ENV=production, which the alternatives need.
    NODE_ENV: 'development',
    ...(isSmall && { WORLD_PROPERTIES: SMALL_WORLD }),
    ...more,
  }
  const worker = startWorker(new URL('./sandbox-server.ts', import.meta.url), {
    env,
    core: LOAD_CORE,
    untilEnd: world.short,
  })
  const url = (await worker.run('start')) as string
  const at = (name: string) => `${url}/upstreams/${name}`
  return {
    sandbox: { url, pid: worker.pid, ...stopping(worker) },
    upstreams: {
      search: at('search'),
      pricing: at('pricing'),
      theme: at('theme'),
      property: at('property'),
      tenant: at('tenant'),
    },
    secret: SERVICE_SECRET,
    query: queryFor(new Date()),
    bus: {
      REDIS_SESSION_URL: env['REDIS_SESSION_URL'] ?? '',
      REDIS_CACHE_URL: env['REDIS_CACHE_URL'] ?? '',
    },
    ...stopping(worker),
  }
}

export interface ConsumerServer extends PageServer {
  readonly cookie: string
  /** For another process of the same service. */
  readonly env: Readonly<Record<string, string>>
  /** Only for a process started with `--expose-gc`. */
  memory(): Promise<NodeJS.MemoryUsage>
}

export interface ConsumerSettings {
  readonly pageFreshMs: number
  readonly l1MaxBytes?: number
  /** False: every response goes through Fastify. */
  readonly fastPath?: boolean
  readonly exposesGc?: boolean
}

export const SEARCH = '/bff/consumer/v1/search'

const sharedConsumers = new WeakMap<BenchWorld, Promise<ConsumerServer>>()

/** In the short form rows share a process, unless its settings are special. */
export async function startConsumer(
  world: BenchWorld,
  environment: SearchEnvironment,
  settings: ConsumerSettings,
): Promise<ConsumerServer> {
  const { exposesGc = false, fastPath = true, l1MaxBytes } = settings
  if (!world.short || exposesGc || !fastPath || l1MaxBytes !== undefined) {
    return startOwnConsumer(world, environment, settings)
  }
  const known = sharedConsumers.get(world)
  const started = known ?? startOwnConsumer(world, environment, settings)
  sharedConsumers.set(world, started)
  return { ...(await started), [Symbol.asyncDispose]: async () => undefined }
}

async function startOwnConsumer(
  world: BenchWorld,
  { upstreams, secret }: SearchEnvironment,
  { exposesGc = false, ...settings }: ConsumerSettings,
): Promise<ConsumerServer> {
  const env = {
    ...(await world.serviceEnv(consumerService)),
    UPSTREAM_SEARCH_URL: upstreams.search,
    UPSTREAM_PRICING_URL: upstreams.pricing,
    UPSTREAM_THEME_URL: upstreams.theme,
    UPSTREAM_PROPERTY_URL: upstreams.property,
    UPSTREAM_TENANT_URL: upstreams.tenant,
    SERVICE_SECRET: secret,
    IDEMPOTENCY_SECRET: secret,
    HANDOFF_KEYS: fixedKeys(8),
    SESSION_KEYS: fixedKeys(6, 's1'),
    HASH_PEPPERS: fixedKeys(7, 'p1'),
  }
  const nodeArgs = exposesGc ? ['--expose-gc'] : []
  const untilEnd = world.short
  const options = { env, nodeArgs, untilEnd }
  const worker = startWorker(new URL('./consumer-server.ts', import.meta.url), options)
  const url = (await worker.run('start', settings)) as string
  const cookie = await openSession(url)
  const memory = async () => (await worker.run('memory')) as NodeJS.MemoryUsage
  return { url, pid: worker.pid, cookie, env, memory, ...stopping(worker) }
}

export async function openSession(url: string): Promise<string> {
  const start = new URL('/bff/consumer/v1/session', url).href
  return startedSession(await sendWhenReady({ url: start, headers: VISITOR, body: '{}' }))
}

function stopping(worker: Worker): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() }
}
