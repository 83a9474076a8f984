import { measureBothSides } from '../../harness/measure-both-sides.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Part, Role, Row, Variant } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { percentile } from '../../harness/statistics.ts'
import { startWorker } from '../../harness/worker.ts'

const ONE = 'effect + event in one statement'
const BATCH = 'events, batches of 100, one JSON parameter'
const COPY = 'COPY, batches of 100'
const RELAY = 'relay to Redis Streams, everything on'
const GRAPHILE = 'graphile-worker, batched'
const BOSS = 'pg-boss, batches of 500, fresh statistics'
/** Peer → how many times its rows per second. */
const DRAIN_GOALS = [
  [GRAPHILE, 1.5],
  [BOSS, 1.3],
] as const
const DRAIN_WORKER = new URL('./drain-worker.ts', import.meta.url)
const STEADY = 'relay at 500 events a second'

type Env = Readonly<Record<string, string>>

const COSTS = [
  { key: 'cpuUs', label: 'CPU µs/row', digits: 1 },
  { key: 'clientUs', label: 'of it ours', digits: 1 },
  { key: 'serverUs', label: 'servers', digits: 1 },
  { key: 'perSecond', label: 'rows/s', digits: 0 },
]

export const rowD: Row = {
  id: 'D',
  title: 'The outbox on Postgres with every commit flushed',
  async parts(world) {
    const inserted = await world.exampleEnv()
    const drained = await world.exampleEnv()
    const watched = await world.exampleEnv()
    return [inserts(world, inserted), drains(world, drained), lags(world, watched)]
  },
}

function inserts(world: BenchWorld, env: Env): Part {
  const one = { count: world.pick(1_000, 16), inFlight: 8, batch: 1 }
  const many = { count: world.pick(60, 2), inFlight: 2, batch: 100 }
  return {
    title: 'insert',
    metrics: COSTS,
    rounds: world.pick(5, 1),
    compare: 'cpuUs',
    variants: [
      inserting(world, env, { name: ONE, role: 'floor', kind: 'statement', ...one }),
      inserting(world, env, {
        name: 'begin, set_config, insert, insert, commit',
        role: 'control',
        kind: 'transaction',
        ...one,
      }),
      inserting(world, env, { name: BATCH, role: 'us', kind: 'batch', ...many }),
      copying(world, env, many),
    ],
    goals: [
      {
        text: 'bulk insert against COPY, rows per CPU',
        metric: 'cpuUs',
        variant: COPY,
        against: BATCH,
        atLeast: 0.8,
        columns: { limit: COPY, us: BATCH },
      },
    ],
  }
}

interface Inserting {
  readonly name: string
  readonly role: Role
  readonly kind: string
  readonly count: number
  readonly inFlight: number
  readonly batch: number
}

function inserting(world: BenchWorld, env: Env, { name, role, ...input }: Inserting): Variant {
  return {
    name,
    role,
    setup() {
      const worker = startWorker(new URL('./insert-worker.ts', import.meta.url), {
        env,
        share: world.short,
      })
      return Promise.resolve(measureBothSides({ world, worker, input, perPiece: input.batch }))
    },
  }
}

function copying(
  world: BenchWorld,
  env: Env,
  many: { count: number; inFlight: number; batch: number },
): Variant {
  return {
    name: COPY,
    role: 'limit',
    async setup() {
      if (!world.peersInstalled) throw new NotHere('not installed; the full run installs it')
      const event = await describeEvent(env)
      const worker = startWorker(peerProgram('copy-outbox.mjs'))
      await worker.run('start', { url: env['DATABASE_APP_URL'], inFlight: many.inFlight })
      const input = { ...many, event }
      return measureBothSides({ world, worker, input, perPiece: many.batch })
    },
  }
}

async function describeEvent(env: Env): Promise<unknown> {
  await using worker = startWorker(new URL('./insert-worker.ts', import.meta.url), { env })
  return await worker.run('describeEvent')
}

function drains(world: BenchWorld, env: Env): Part {
  const count = world.pick(20_000, 300)
  return {
    title: 'drain',
    metrics: COSTS,
    rounds: world.pick(3, 1),
    compare: 'perSecond',
    variants: [
      {
        name: RELAY,
        role: 'us',
        async setup() {
          const worker = startWorker(DRAIN_WORKER, { env })
          return measureBothSides({ world, worker, input: { count } })
        },
      },
      draining(world, env, { name: GRAPHILE, file: 'graphile-drain.mjs', count }),
      draining(world, env, { name: BOSS, file: 'pg-boss-drain.mjs', count }),
    ],
    goals: DRAIN_GOALS.map(([peer, atLeast]) => ({
      text: `drain against ${peer}`,
      metric: 'perSecond',
      variant: RELAY,
      against: peer,
      atLeast,
      columns: { peer },
    })),
  }
}

interface Draining {
  readonly name: string
  readonly file: string
  readonly count: number
}

function draining(world: BenchWorld, env: Env, drain: Draining): Variant {
  const { name, file, count } = drain
  return {
    name,
    role: 'peer',
    async setup() {
      if (!world.peersInstalled) throw new NotHere('not installed; the full run installs it')
      const event = await describeEvent(env)
      const url = await world.emptyDatabase()
      const worker = startWorker(peerProgram(file))
      const redisUrl = await world.emptyRedis('session')
      await worker.run('start', { url, redisUrl, batched: true })
      return measureBothSides({ world, worker, input: { count, event } as { count: number } })
    },
  }
}

function lags(world: BenchWorld, env: Env): Part {
  return {
    title: 'lag',
    metrics: [
      { key: 'p50Ms', label: 'p50 ms', digits: 0 },
      { key: 'p99Ms', label: 'p99 ms', digits: 0 },
      { key: 'events', label: 'events', digits: 0 },
    ],
    rounds: 1,
    compare: 'p99Ms',
    variants: [steady(world, env)],
    goals: [
      { text: 'event to bus at 500/s, p99 ms', metric: 'p99Ms', variant: STEADY, atMost: 1_000 },
    ],
  }
}

function steady(world: BenchWorld, env: Env): Variant {
  return {
    name: STEADY,
    role: 'us',
    async setup() {
      const worker = startWorker(DRAIN_WORKER, { env })
      const input = { perSecond: world.pick(500, 50), seconds: world.pick(5, 1) }
      return {
        async measure() {
          const lagsMs = (await worker.run('lag', input)) as number[]
          const [p50Ms, p99Ms] = [percentile(lagsMs, 0.5), percentile(lagsMs, 0.99)]
          return { p50Ms, p99Ms, events: lagsMs.length }
        },
        [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
      }
    },
  }
}
