import { createServer, type Server } from 'node:net'
import { newId } from '@melmastoon/domain'
import { freePort } from '@melmastoon/one-machine'
import { eventually, type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../../src/service.ts'
import {
  type FakeUpstreams,
  type Name,
  startFakeUpstreams,
} from '../../harness/fake-upstreams/index.ts'
import { createJourneyClient, journeyTo, type Step } from '../../harness/guest-journey.ts'
import { consumerEnvironment, type TestEnvironment } from '../../harness/start-consumer.ts'

const ENTRY = new URL('../../../src/main.ts', import.meta.url)
const HOOK = new URL('./record-connections.ts', import.meta.url)
const CONNECTOR = new URL('./connect-once.ts', import.meta.url)
const FIVE: readonly Name[] = ['search', 'pricing', 'theme', 'property', 'tenant']
/** Upstreams that the service must never call. */
const FORBIDDEN_UPSTREAMS = ['reservation', 'inventory', 'payment', 'billing'] as const

let environment: TestEnvironment
let process: SpawnedProcess
let urls: { readonly open: string; readonly internal: string }
const upstreams = new Map<Name, FakeUpstreams>()
const decoys: { readonly server: Server; visitors: number }[] = []

beforeAll(async () => {
  for (const name of FIVE)
    upstreams.set(name, await startFakeUpstreams(upstreams.get('search')?.hotels))
  environment = await consumerEnvironment({ url: 'http://127.0.0.1:1' })
  const [port, internalPort] = [await freePort(), await freePort()]
  urls = { open: `http://127.0.0.1:${port}`, internal: `http://127.0.0.1:${internalPort}` }
  process = spawnProcess(ENTRY, {
    env: {
      ...environment.env,
      ...(await startDecoys()),
      ...upstreamUrls(),
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      NODE_OPTIONS: `--import=${HOOK.href}`,
    },
  })
  const isReady = async () => expect((await fetch(`${urls.open}/health/ready`)).status).toBe(200)
  await eventually(isReady, { timeoutMs: 30_000 })
}, 60_000)
afterAll(async () => {
  await process[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  for (const { server } of decoys) server.close()
  for (const upstream of upstreams.values()) await upstream[Symbol.asyncDispose]()
})

function upstreamUrls() {
  return Object.fromEntries(
    [...upstreams].map(([name, { url }]) => [
      `UPSTREAM_${name.toUpperCase()}_URL`,
      `${url}/${name}`,
    ]),
  )
}

/** Starts them as decoys; the process gets their addresses. */
async function startDecoys(): Promise<Record<string, string>> {
  const env: Record<string, string> = {}
  for (const name of FORBIDDEN_UPSTREAMS) {
    const decoy = { server: createServer(), visitors: 0 }
    decoy.server.on('connection', (socket) => {
      decoy.visitors += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => decoy.server.listen(0, '127.0.0.1', resolve))
    decoys.push(decoy)
    const { port } = decoy.server.address() as { port: number }
    env[`UPSTREAM_${name.toUpperCase()}_URL`] = `http://127.0.0.1:${port}/${name}`
  }
  return env
}

async function routesOf(url: string): Promise<string[]> {
  const response = await fetch(`${url}/docs/json`)
  const { paths } = (await response.json()) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
}

const portOf = (url: string | undefined) => new URL(url ?? '').port
/** The destinations of the sockets that a process has opened so far. */
const destinationsOf = ({ lines }: Pick<SpawnedProcess, 'lines'>) =>
  new Set(
    lines
      .filter((line) => line.startsWith('socket to '))
      .map((line) => line.slice('socket to '.length)),
  )

describe('C5 the connections of the service', () => {
  let journey: Step[]

  beforeAll(() => {
    const [hotel] = upstreams.get('search')?.hotels ?? []
    journey = journeyTo(hotel ?? { propertyId: newId('ppt'), tenantId: newId('tnt') })
  })

  it('a journey calls every public route', async () => {
    const routes = await routesOf(urls.open)
    expect(routes.length).toBeGreaterThan(10)
    expect(routes.filter((route) => !journey.some((step) => step.route === route))).toEqual([])
    const runStep = createJourneyClient(urls.open)
    for (const step of journey) {
      if (!routes.includes(step.route)) continue
      // A process that has just started may exceed its own deadlines at first.
      await eventually(async () => {
        const status = await runStep(step)
        expect(status, step.route).toBeLessThan(400)
      })
    }
  })

  it('the jobs run', async () => {
    const headers = { 'x-internal-secret': environment.env['INTERNAL_SECRET'] ?? '' }
    for (const { name } of service.jobs) {
      const job = new URL(`/internal/jobs/${name}`, urls.internal)
      expect((await fetch(job, { method: 'POST', headers })).status).toBe(200)
    }
  })

  it('the process connects to its own stores and the five upstreams only', () => {
    const { env } = environment
    const stores = [env['DATABASE_URL'], env['REDIS_SESSION_URL'], env['REDIS_CACHE_URL']]
    const five = [...upstreams.values()].map(({ url }) => url)
    expect([...destinationsOf(process)].sort()).toEqual(
      [...new Set([...stores, ...five].map(portOf))].sort(),
    )
  })

  it('no decoy was called', () => {
    expect(decoys.map(({ visitors }) => visitors)).toEqual([0, 0, 0, 0])
  })

  it('control: a connection to a decoy is recorded', async () => {
    const [decoy] = decoys
    if (decoy === undefined) throw new Error('no decoy')
    const { port } = decoy.server.address() as { port: number }
    await using connector = spawnProcess(CONNECTOR, {
      env: { NODE_OPTIONS: `--import=${HOOK.href}` },
      args: [`http://127.0.0.1:${port}`],
    })
    await connector.exited
    expect([...destinationsOf(connector)]).toEqual([String(port)])
    expect(decoy.visitors).toBeGreaterThan(0)
  })
})
