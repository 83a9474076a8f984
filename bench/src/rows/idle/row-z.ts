import { setTimeout as delay } from 'node:timers/promises'
import { CpuTime } from '../../harness/cpu-time.ts'
import { childrenOf, processName } from '../../harness/process-stat.ts'
import type { BenchWorld, Row, Running, Sample } from '../../harness/row.ts'
import { startProduct } from './start-product.ts'

const US = 'npm start, all services'
const SETTLE_SECONDS = 30
const SECONDS = 60
/** Names of processes that are servers, not services. */
const SERVERS = /^(postgres|redis-server)/

const METRICS = [
  { key: 'percent', label: '% of a core', digits: 2 },
  { key: 'services', label: 'services %', digits: 2 },
  { key: 'servers', label: 'Postgres and Redis %', digits: 2 },
  { key: 'processes', label: 'processes', digits: 0 },
]

/** Everything that `npm start` starts, without a request. */
export const rowZ: Row = {
  id: 'Z',
  title: 'The idle product: CPU of all services and servers without a request',
  onlyFull: true,
  parts: (world) =>
    Promise.resolve([
      {
        title: 'idle',
        metrics: METRICS,
        variants: [{ name: US, role: 'us', setup: () => setUp(world) }],
        rounds: 1,
        compare: 'percent',
        goals: [{ text: 'idle product, % of a core', metric: 'percent', variant: US, atMost: 1.5 }],
      },
    ]),
}

async function setUp(world: BenchWorld): Promise<Running> {
  const product = await startProduct(world)
  // Until code that runs once after the start is done.
  await delay(world.pick(SETTLE_SECONDS, 0) * 1_000)
  return {
    measure: () => watchIdle(product.pid, world.pick(SECONDS, 1)),
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  }
}

async function watchIdle(pid: number, seconds: number): Promise<Sample> {
  const all = new CpuTime(pid)
  const children = childrenOf(pid)
  const servers = children
    .filter((child) => SERVERS.test(processName(child)))
    .map((child) => new CpuTime(child))
  const read = () => ({ all: all.readUs(), servers: sum(servers.map((cpu) => cpu.readUs())) })
  const [before, startedAt] = [read(), performance.now()]
  await delay(seconds * 1_000)
  const [after, wallUs] = [read(), (performance.now() - startedAt) * 1_000]
  const percentOf = (usedUs: number) => (usedUs / wallUs) * 100
  const percent = percentOf(after.all - before.all)
  const serversPercent = percentOf(after.servers - before.servers)
  return {
    percent,
    services: percent - serversPercent,
    servers: serversPercent,
    processes: children.length,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
