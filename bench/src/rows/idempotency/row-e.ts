import { measureBothSides } from '../../harness/measure-both-sides.ts'
import type { BenchWorld, Goal, Part, Role, Row, Running, Variant } from '../../harness/row.ts'
import { startWorker } from '../../harness/worker.ts'

const NONE = 'effect + event in one statement, no key'
const US = 'one statement: claim, effect, event, result'
const BEFORE = 'before: Redis, claim, transaction'
const US_CALL = 'around a call: claim; effect, event, result'
const BEFORE_CALL = 'before: Redis, claim, checkpoint, transaction'

const METRICS = [
  { key: 'cpuUs', label: 'CPU µs', digits: 0 },
  { key: 'clientUs', label: 'of it ours', digits: 0 },
  { key: 'serverUs', label: 'servers', digits: 0 },
  { key: 'trips', label: 'round trips', digits: 0 },
  { key: 'perSecond', label: 'req/s', digits: 0 },
  { key: 'aloneMs', label: 'p50 ms alone', digits: 2 },
  { key: 'p50Ms', label: 'p50 ms, 8 at once', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
]
const GOALS: readonly Goal[] = [
  { text: 'CPU of a key', metric: 'cpuUs', variant: US, against: NONE, atMost: 1.4 },
  {
    text: 'CPU against the form before',
    metric: 'cpuUs',
    variant: US,
    against: BEFORE,
    atMost: 0.5,
  },
  {
    text: 'round trips around a call',
    metric: 'trips',
    variant: US_CALL,
    atMost: 2,
    exact: true,
  },
  { text: 'latency of a key, alone', metric: 'aloneMs', variant: US, against: NONE, atMost: 1.25 },
]

export const rowE: Row = {
  id: 'E',
  title: 'A mutation (effect and event) with an idempotency key, durable Postgres',
  async parts(world) {
    const env = await world.exampleEnv()
    const mutate = (name: string, role: Role, kind: string): Variant => ({
      name,
      role,
      setup: () => Promise.resolve(mutating(world, env, kind)),
    })
    const part: Part = {
      title: 'idempotency',
      metrics: METRICS,
      rounds: world.pick(5, 1),
      compare: 'cpuUs',
      variants: [
        mutate(NONE, 'floor', 'none'),
        mutate(US, 'us', 'one-statement'),
        mutate(BEFORE, 'control', 'claim-transaction'),
        mutate(US_CALL, 'us', 'two-statements'),
        mutate(BEFORE_CALL, 'control', 'claim-checkpoint-transaction'),
        mutate('claim, effects, update in a plain transaction', 'control', 'plain-transaction'),
        mutate('replay from Redis (third request)', 'us', 'replay-redis'),
        mutate('replay from Postgres (second request)', 'us', 'replay-postgres'),
      ],
      goals: GOALS,
    }
    return [part]
  },
}

/** CPU with eight concurrent calls; latency also of a single one, without waiting for others. */
function mutating(world: BenchWorld, env: Readonly<Record<string, string>>, kind: string): Running {
  const worker = startWorker(new URL('./mutation-worker.ts', import.meta.url), {
    env,
    share: world.short,
  })
  const busy = { kind, count: world.pick(1_000, 16), inFlight: 8 }
  const alone = { kind, count: world.pick(150, 6), inFlight: 1 }
  const trips = worker.run('countTrips', { kind })
  const crowd = measureBothSides({ world, worker, input: busy })
  const single = measureBothSides({ world, worker, input: alone })
  return {
    async measure() {
      const [many, one] = [await crowd.measure(), await single.measure()]
      return { ...many, aloneMs: one['p50Ms'] ?? Number.NaN, trips: Number(await trips) }
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
