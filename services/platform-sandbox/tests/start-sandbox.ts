import { createDeadline } from '@melmastoon/chassis/clock'
import { serviceContracts } from '@melmastoon/chassis/service'
import { createUpstream, UpstreamRejection } from '@melmastoon/chassis/upstream'
import type { EventMessage } from '@melmastoon/events'
import {
  type ServiceProcess,
  send,
  spawnService,
  startService,
  type TestEnvironment,
  testEnvironment,
} from '@melmastoon/testkit'
import {
  type Contract,
  createUpstreamClient,
  type Operations,
  type CallOf as UpstreamCallOf,
  type UpstreamClient,
} from '@melmastoon/upstream-contracts'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { service } from '../src/service.ts'

export const SERVICE_SECRET = 'what services of the platform share, in tests'
export const WEBHOOK_SECRET = 'what payment webhooks are signed with, in tests'
const ENTRY = new URL('../src/main.ts', import.meta.url)

type Env = Readonly<Record<string, string>>

export type { SendOptions, TestEnvironment, TestResponse } from '@melmastoon/testkit'
export { send }
export const contracts = serviceContracts(service)

/** A migrated database without a world and two Redis scopes, for any number of processes. */
export function sandboxEnvironment(env: Env = {}): Promise<TestEnvironment> {
  return testEnvironment(service, {
    SERVICE_SECRET,
    WEBHOOK_SECRET,
    WORLD_PROPERTIES: '0',
    WORLD_STAY_DAYS: '30',
    ...env,
  })
}

/** Starts the sandbox in this process: `await using sandbox = await startSandbox(environment)`. */
export function startSandbox(environment: TestEnvironment, env: Env = {}) {
  return startService(service, { ...environment.env, ...env })
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>

export type SandboxProcess = ServiceProcess

/** The sandbox as a separate process, ready for requests. */
export function spawnSandbox(environment: TestEnvironment, env: Env = {}): Promise<SandboxProcess> {
  return spawnService(ENTRY, { ...environment.env, ...env })
}

export interface ClientOptions {
  readonly service?: string
  /** Sent as `X-Sandbox-Scenario` with every call. */
  readonly scenario?: string
  readonly deadlineMs?: number
}

/** Like the client of the services, with a generous default deadline. */
export type TestClient<O extends Operations> = {
  readonly [N in keyof O]: (
    input: Parameters<UpstreamClient<O>[N]>[0],
    ...call: Record<never, never> extends Patient<UpstreamCallOf<O[N]>>
      ? [call?: Patient<UpstreamCallOf<O[N]>>]
      : [call: Patient<UpstreamCallOf<O[N]>>]
  ) => ReturnType<UpstreamClient<O>[N]>
}

type Patient<C> = Omit<C, 'deadline'>

const DEADLINE_MS = 20_000

/** A typed client of one upstream, as the services of the platform use it. */
export function clientFor<O extends Operations>(
  contract: Contract<O>,
  url: string,
  options: ClientOptions = {},
): TestClient<O> {
  const { service = 'test-service', scenario, deadlineMs = DEADLINE_MS } = options
  const auth = sharedSecretAuth(service, SERVICE_SECRET)
  const upstream = createUpstream({
    name: contract.upstream,
    baseUrl: `${url}/upstreams/${contract.upstream}`,
    timeoutMs: deadlineMs,
    retries: 0,
    authorize: () => ({
      ...auth.headers(),
      ...(scenario !== undefined && { 'x-sandbox-scenario': scenario }),
    }),
  })
  const client = createUpstreamClient(contract, upstream)
  const names = Object.keys(contract.operations) as (keyof O)[]
  const entries = names.map((name) => {
    const operation = client[name] as (input: unknown, call: object) => Promise<unknown>
    return [
      name,
      async (input: unknown, call: object = {}) => {
        using deadline = createDeadline(deadlineMs)
        return await operation(input, { ...call, deadline })
      },
    ]
  })
  return Object.fromEntries(entries) as TestClient<O>
}

/** The problem code a call is rejected with; fails when it is not rejected. */
export async function rejectionOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
  } catch (error) {
    if (error instanceof UpstreamRejection) return error.code
    throw error
  }
  throw new Error('the call was not rejected')
}

/** The headers of a calling service, for raw requests. */
export function serviceHeaders(tenantId?: string, service = 'test-service') {
  return {
    ...sharedSecretAuth(service, SERVICE_SECRET).headers(),
    ...(tenantId !== undefined && { 'x-tenant-id': tenantId }),
  }
}

/** Every event written so far, in order, published or not; `subject` is a pattern of LIKE. */
export async function drainEvents(
  environment: TestEnvironment,
  subject = '%',
): Promise<EventMessage[]> {
  const columns = 'event_id, envelope, payload'
  return await environment.query<EventMessage>(
    `with written as (
       select ${columns} from ${environment.schema}.outbox where subject like $1
       union all
       select ${columns} from ${environment.schema}.outbox_published where subject like $1
     )
     select envelope, payload from written order by event_id`,
    [subject],
  )
}
