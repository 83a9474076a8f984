import { setTimeout as delay } from 'node:timers/promises'
import { CpuTime } from '../../harness/cpu-time.ts'
import { startProgram } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Fact, Goal, Role, Row, Sample, Variant } from '../../harness/row.ts'
import type { Worker } from '../../harness/worker.ts'
import {
  backofficeEnv,
  startBackoffice,
  startStaffLoad,
} from '../../staff/backoffice-environment.ts'
import type { StreamCounts } from '../../staff/open-streams.ts'
import { type SearchEnvironment, startSearchEnvironment } from '../search/search-environment.ts'

const RAW = 'node:http'
const US = 'bff-backoffice-service'
const FASTIFY = 'Fastify, raw reply'
const NEST = 'NestJS, @Sse'
const SLUG = 'creek-pearl'
const KIB = 1_024

const METRICS = [
  { key: 'rssKib', label: 'RSS KiB/stream', digits: 1 },
  { key: 'usedKib', label: 'heap and buffers KiB/stream', digits: 1 },
  { key: 'cpuUs', label: 'CPU µs/message', digits: 1 },
  { key: 'lastMs', label: 'ms to the last', digits: 0 },
  { key: 'streams', label: 'streams', digits: 0 },
  { key: 'received', label: 'messages received', digits: 0 },
]

const GOALS: readonly Goal[] = [
  { text: 'RSS of an idle stream, KiB', metric: 'rssKib', variant: US, atMost: 18 },
  {
    text: 'CPU of a message against NestJS',
    metric: 'cpuUs',
    variant: US,
    against: NEST,
    atMost: 0.45,
    columns: { peer: NEST },
  },
]

const DELIVERED: Fact = {
  text: 'every stream receives every message',
  holds: (samples) =>
    [...samples.values()].flat().every(({ received, expected }) => received === expected),
}

/** Ours with token, proof, session, channels and the log that a device resumes from. */
export const rowH: Row = {
  id: 'H',
  title: 'Idle event streams of devices on one process, and one message to all of them',
  async parts(world) {
    const environment = await startSearchEnvironment(world, { isSmall: true })
    return [
      {
        title: 'streams',
        metrics: METRICS,
        rounds: 1,
        compare: 'rssKib',
        facts: [DELIVERED],
        goals: GOALS,
        variants: [
          plain(world, [RAW, 'floor'], new URL('./bare-streams.ts', import.meta.url)),
          ours(world, environment),
          plain(world, [FASTIFY, 'peer'], peerProgram('fastify-streams.mjs')),
          plain(world, [NEST, 'peer'], peerProgram('nest-streams.mjs')),
        ],
      },
    ]
  },
}

interface Sizes {
  /** Opened first: they pay for compiled code and tables that grow. */
  readonly warm: number
  readonly count: number
}

/** Few in the short form: each stream of ours needs a device that has signed in. */
function sizesOf(world: BenchWorld): Sizes {
  return { warm: world.pick(500, 20), count: world.pick(5_000, 60) }
}

interface Streaming extends Sizes {
  readonly server: Worker
  readonly load: Worker
  readonly url: string
  readonly isPlain: boolean
  readonly tenantId: string | null
}

function plain(
  world: BenchWorld,
  [name, role]: readonly [name: string, role: Role],
  program: URL,
): Variant {
  return {
    name,
    role,
    async setup() {
      const server = startProgram(world, program, { nodeArgs: ['--expose-gc'] })
      const url = `http://127.0.0.1:${String(await server.run('start'))}`
      const load = startStaffLoad()
      const streaming = { ...sizesOf(world), server, load, url, isPlain: true, tenantId: null }
      return running(streaming)
    },
  }
}

function ours(world: BenchWorld, { sandbox, secret }: SearchEnvironment): Variant {
  return {
    name: US,
    role: 'us',
    async setup() {
      const env = await backofficeEnv(world, { url: sandbox.url, secret })
      const { worker: server, url } = await startBackoffice(env, { exposesGc: true })
      const load = startStaffLoad()
      const sizes = sizesOf(world)
      const accounts = [{ tenantSlug: SLUG, username: 'desk' }]
      const signIn = { iamUrl: sandbox.url, accounts, count: sizes.warm + sizes.count }
      const [device] = (await load.run('signIn', signIn)) as readonly { tenantId: string }[]
      const tenantId = device?.tenantId ?? ''
      return running({ ...sizes, server, load, url, isPlain: false, tenantId })
    },
  }
}

function running(streaming: Streaming) {
  const { server, load } = streaming
  return {
    measure: () => measure(streaming),
    async [Symbol.asyncDispose]() {
      await load[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function measure({ server, load, warm, count, ...rest }: Streaming): Promise<Sample> {
  const { url, isPlain, tenantId } = rest
  const open = (from: number, streams: number) =>
    load.run('openStreams', { url, isPlain, from, count: streams })
  const memory = async () => (await server.run('memory')) as NodeJS.MemoryUsage
  await open(0, warm)
  const before = await memory()
  await open(warm, count)
  const after = await memory()
  const expected = warm + count
  const cpu = new CpuTime(server.pid)
  const cpuBefore = cpu.readUs()
  const startedAt = performance.now()
  await server.run('broadcast', { tenantId })
  const received = await receive(load, expected)
  return {
    rssKib: (after.rss - before.rss) / count / KIB,
    usedKib: (used(after) - used(before)) / count / KIB,
    cpuUs: (cpu.readUs() - cpuBefore) / expected,
    lastMs: performance.now() - startedAt,
    streams: expected,
    received,
    expected,
  }
}

function used({ heapUsed, external }: NodeJS.MemoryUsage): number {
  return heapUsed + external
}

const LOOKS_MAX = 1_000
const PAUSE_MS = 10

async function receive(load: Worker, expected: number): Promise<number> {
  let received = 0
  for (let look = 0; look < LOOKS_MAX && received < expected; look += 1) {
    received = ((await load.run('streamCounts')) as StreamCounts).events
    await delay(PAUSE_MS)
  }
  return received
}
