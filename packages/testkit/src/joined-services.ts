import { type ServiceProcess, spawnService } from './spawn-service.ts'
import type { TestEnvironment } from './test-environment.ts'
import { startTraceCollector, type TraceCollector } from './trace-collector.ts'
import { startUpstreamFaults, type UpstreamFaults } from './upstream-faults.ts'

type Env = Readonly<Record<string, string>>

interface Listening extends AsyncDisposable {
  readonly url: string
}

export interface JoinOptions<P extends Listening, S extends Listening> {
  readonly environment: TestEnvironment
  /** Already started, on the Redis of the environment. */
  readonly sandbox: P
  /** Calls upstreams through a proxy in which a test can break them. */
  readonly withFaults?: boolean
  /** The variables of the service for upstreams at an address. */
  readonly envOf: (upstreams: { readonly url: string }) => Env
  readonly start: (env: Env) => Promise<S>
  /** The program of the service. */
  readonly entry: URL
}

/** A service and the sandbox that it calls, closed together. */
export interface JoinedServices<P, S> extends AsyncDisposable {
  readonly environment: TestEnvironment
  readonly sandbox: P
  readonly faults: UpstreamFaults
  readonly service: S
  readonly env: Env
  /** Another instance as a separate process, which a test can kill. */
  spawnAnother(more?: Env): Promise<ServiceProcess>
}

export async function joinServices<P extends Listening, S extends Listening>(
  options: JoinOptions<P, S>,
): Promise<JoinedServices<P, S>> {
  const { environment, sandbox, withFaults = false, envOf, start, entry } = options
  const faults = await startUpstreamFaults(sandbox.url, withFaults)
  const env = { ...environment.env, ...envOf(withFaults ? faults : sandbox) }
  const service = await start(env)
  return {
    environment,
    sandbox,
    faults,
    service,
    env,
    spawnAnother: (more = {}) => spawnService(entry, { ...env, ...more }),
    async [Symbol.asyncDispose]() {
      for (const part of [service, faults, sandbox, environment]) await part[Symbol.asyncDispose]()
    },
  }
}

export interface Observed {
  readonly child: ServiceProcess
  readonly traces: TraceCollector
}

/** A process behind a proxy that logs everything and exports every trace. */
export async function spawnObserved({
  spawnAnother,
}: Pick<JoinedServices<unknown, unknown>, 'spawnAnother'>): Promise<Observed> {
  const traces = await startTraceCollector()
  const child = await spawnAnother({
    LOG_LEVEL: 'debug',
    TRUST_PROXY_HOPS: '1',
    OTLP_URL: traces.url,
    TRACE_SAMPLE_RATIO: '1',
  })
  return { child, traces }
}
