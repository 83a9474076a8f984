import { measureBothSides } from '../../harness/measure-both-sides.ts'
import type { BenchWorld, Fact, Part, Role, Row, Variant } from '../../harness/row.ts'
import { startWorker } from '../../harness/worker.ts'
import { backofficeEnv } from '../../staff/backoffice-environment.ts'
import type { LedgerKind } from './ledger-worker.ts'

const ALONE = 'a statement per row'
const US = 'ledger: rows of 5 ms in one statement'
const US_FULL = 'ledger, 500 at once'

const METRICS = [
  { key: 'cpuUs', label: 'CPU µs/row', digits: 1 },
  { key: 'clientUs', label: 'of process', digits: 1 },
  { key: 'serverUs', label: 'Postgres', digits: 1 },
  { key: 'perSecond', label: 'rows/s', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
  { key: 'lost', label: 'rows lost', digits: 0 },
]

/** At the peak of 300 requests a second there are 93 of them (staff reference §9). */
const PEAK_ROWS_PER_SECOND = 93

const COMPLETE: Fact = {
  text: 'every recorded activity is a row of the table',
  holds: (samples) => [...samples.values()].flat().every(({ lost }) => lost === 0),
}

export const rowL: Row = {
  id: 'L',
  title: 'The ledger of activities: a row that is committed before the response',
  async parts(world) {
    const upstreams = { url: 'http://127.0.0.1:9', secret: 'no secret, but long enough to be one' }
    const envs = await Promise.all([ALONE, US, US_FULL].map(() => backofficeEnv(world, upstreams)))
    return [ledgerPart(world, envs)]
  },
}

type Env = Readonly<Record<string, string>>

function ledgerPart(world: BenchWorld, [alone = {}, some = {}, many = {}]: readonly Env[]): Part {
  return {
    title: 'ledger',
    metrics: METRICS,
    rounds: world.pick(5, 1),
    compare: 'cpuUs',
    facts: [COMPLETE],
    variants: [
      inserting(world, alone, { name: ALONE, role: 'floor', kind: 'statement', inFlight: 8 }),
      inserting(world, some, { name: US, role: 'us', kind: 'batched', inFlight: 32 }),
      inserting(world, many, { name: US_FULL, role: 'us', kind: 'batched', inFlight: 500 }),
    ],
    goals: [
      { text: 'CPU of a ledger row', metric: 'cpuUs', variant: US, against: ALONE, atMost: 0.5 },
      {
        text: 'rows per second, 10 × the peak',
        metric: 'perSecond',
        variant: US,
        atLeast: 10 * PEAK_ROWS_PER_SECOND,
      },
    ],
  }
}

interface Inserting {
  readonly name: string
  readonly role: Role
  readonly kind: LedgerKind
  readonly inFlight: number
}

function inserting(world: BenchWorld, env: Env, { name, role, ...input }: Inserting): Variant {
  return {
    name,
    role,
    setup() {
      const worker = startWorker(new URL('./ledger-worker.ts', import.meta.url), { env })
      const count = world.pick(4_000, 40)
      const running = measureBothSides({ world, worker, input: { ...input, count } })
      let sent = 0
      return Promise.resolve({
        ...running,
        async measure() {
          const sample = await running.measure()
          sent += count
          return { ...sample, lost: sent - Number(await worker.run('countRows')) }
        },
      })
    },
  }
}
