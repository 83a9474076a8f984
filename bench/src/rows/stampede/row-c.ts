import type {
  BenchWorld,
  Fact,
  Part,
  Role,
  Row,
  Running,
  Sample,
  Variant,
} from '../../harness/row.ts'
import { percentile } from '../../harness/statistics.ts'
import { type FleetKind, startFleet } from './fleet.ts'

const DELAY_MS = 50
const PROCESSES = 3
const TTL_MS = 1_000
const US = 'lease over all processes'
const LONG_MS = 600_000

export const rowC: Row = {
  id: 'C',
  title: 'One cold key, one hot key that expires: 3 processes, upstream 50 ms',
  parts: (world) => Promise.resolve([stampede(world), expiry(world)]),
}

function stampede(world: BenchWorld): Part {
  return {
    title: 'stampede',
    metrics: [
      { key: 'calls', label: 'upstream calls', digits: 0 },
      { key: 'p99Ratio', label: 'p99 ÷ upstream', digits: 2 },
      { key: 'p50Ms', label: 'p50 ms', digits: 1 },
      { key: 'p99Ms', label: 'p99 ms', digits: 1 },
      { key: 'cpuMs', label: 'CPU ms', digits: 0 },
    ],
    rounds: world.pick(7, 1),
    compare: 'cpuMs',
    variants: fleets(world).map(([name, role, kind]) => ({
      name,
      role,
      setup: () => bursting(world, kind),
    })),
    facts: [oneCall],
    goals: [
      {
        text: 'upstream calls for one cold key',
        metric: 'calls',
        variant: US,
        atMost: 1,
        exact: true,
      },
      { text: 'p99 ÷ upstream', metric: 'p99Ratio', variant: US, atMost: 1.15 },
    ],
  }
}

const oneCall: Fact = {
  text: 'one cold key costs one upstream call, for any number of requests and processes',
  holds: (samples) => (samples.get(US) ?? []).every((sample) => sample['calls'] === 1),
}

function fleets(world: BenchWorld): [string, Role, FleetKind][] {
  const all: [string, Role, FleetKind][] = [
    [US, 'us', { program: 'own', mode: 'fleet' }],
    ['one flight per process, nothing shared', 'control', { program: 'own', mode: 'process' }],
    ['no cache at all', 'control', { program: 'own', mode: 'none' }],
    ['async-cache-dedupe on Redis', 'peer', { program: 'dedupe-cache.mjs', mode: '' }],
    ['bentocache, memory + Redis', 'peer', { program: 'bento-cache.mjs', mode: '' }],
  ]
  return all.filter(([, , kind]) => !(world.short && kind.mode === 'none'))
}

async function bursting(world: BenchWorld, kind: FleetKind): Promise<Running> {
  const fleet = await startFleet(world, kind, {
    ttlMs: LONG_MS,
    delayMs: DELAY_MS,
    processes: PROCESSES,
  })
  const requests = world.pick(1_000, 60)
  let round = 0
  const burst = async (): Promise<Sample> => {
    round += 1
    await fleet.takeCalls()
    const input = {
      key: `cold-${round}`,
      count: Math.ceil(requests / PROCESSES),
      atMs: Date.now() + 60,
    }
    const done = (await fleet.runAll('burst', input)) as { latenciesMs: number[]; cpuMs: number }[]
    const latencies = done.flatMap((each) => each.latenciesMs)
    const p99Ms = percentile(latencies, 0.99)
    return {
      calls: (await fleet.takeCalls()).length,
      p99Ratio: p99Ms / DELAY_MS,
      p50Ms: percentile(latencies, 0.5),
      p99Ms,
      cpuMs: done.reduce((sum, each) => sum + each.cpuMs, 0),
    }
  }
  if (!world.short) for (let i = 0; i < 3; i += 1) await burst()
  return { measure: burst, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() }
}

function expiry(world: BenchWorld): Part {
  const compared = fleets(world).filter(([, , kind]) => kind.mode === 'fleet' || kind.mode === '')
  return {
    title: 'expiry of a hot key',
    metrics: [
      { key: 'callsPerExpiry', label: 'calls per expiry', digits: 2 },
      { key: 'expiries', label: 'expiries', digits: 0 },
      { key: 'blockedPercent', label: 'blocked %', digits: 4 },
      { key: 'requests', label: 'requests', digits: 0 },
    ],
    rounds: world.pick(2, 1),
    compare: 'callsPerExpiry',
    variants: compared.map(
      ([name, role, kind]): Variant => ({ name, role, setup: () => crowding(world, kind) }),
    ),
    goals: [
      {
        text: 'upstream calls per expiry',
        metric: 'callsPerExpiry',
        variant: US,
        atMost: 1.1,
        exact: true,
      },
      {
        text: 'requests blocked at expiry, %',
        metric: 'blockedPercent',
        variant: US,
        atMost: 0.05,
      },
    ],
  }
}

/** Almost the upstream's whole delay, longer than a pause of the machine. */
const BLOCKED_MS = DELAY_MS * 0.9

async function crowding(world: BenchWorld, kind: FleetKind): Promise<Running> {
  const fleet = await startFleet(world, kind, {
    ttlMs: TTL_MS,
    delayMs: DELAY_MS,
    processes: PROCESSES,
  })
  const input = { perMs: world.pick(4, 2), seconds: world.pick(6, 1.5) }
  let round = 0
  return {
    async measure() {
      round += 1
      await fleet.runOne('crowd', { key: `hot-${round}`, perMs: 1, seconds: 0 })
      await fleet.takeCalls()
      const done = (await fleet.runAll('crowd', { key: `hot-${round}`, ...input })) as {
        latenciesMs: number[]
      }[]
      const latencies = done.flatMap((each) => each.latenciesMs)
      const calls = await fleet.takeCalls()
      const expiries = countExpiries(calls)
      const blocked = latencies.filter((each) => each >= BLOCKED_MS).length
      return {
        callsPerExpiry: calls.length / Math.max(1, expiries),
        expiries,
        blockedPercent: (blocked / latencies.length) * 100,
        requests: latencies.length,
      }
    },
    [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
  }
}

/** Calls closer together than half a lifetime belong to the same expiry. */
export function countExpiries(callsAtMs: readonly number[]): number {
  let expiries = 0
  let lastMs = Number.NEGATIVE_INFINITY
  for (const atMs of callsAtMs.toSorted((a, b) => a - b)) {
    if (atMs - lastMs > TTL_MS / 2) expiries += 1
    lastMs = atMs
  }
  return expiries
}
