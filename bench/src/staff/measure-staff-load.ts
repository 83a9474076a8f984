import { CPU_METRICS, countCpu } from '../harness/cpu-per-piece.ts'
import type { WorkDone } from '../harness/measure-work.ts'
import type { PageServer } from '../harness/page-server.ts'
import { residentMib } from '../harness/process-stat.ts'
import type { BenchWorld, Running, Sample } from '../harness/row.ts'
import type { Worker } from '../harness/worker.ts'

/** Of rows in which staff send requests. */
export const STAFF_METRICS = [
  ...CPU_METRICS,
  { key: 'perCore', label: 'req/s/core', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
  { key: 'bytes', label: 'bytes', digits: 0 },
  { key: 'mib', label: 'RSS MiB', digits: 0 },
]

export interface LoadedServer {
  readonly world: BenchWorld
  readonly server: PageServer
  /** Shared by the alternatives of a row; it ends with the row. */
  readonly load: Worker
  readonly command: 'run' | 'runPlain'
  readonly input: object
}

/** In the short form nothing is compared. */
const SHORT_COUNT = 6
const COUNT = 1_500
const IN_FLIGHT = 8

/** CPU of the process, and of Postgres and Redis, per request. */
export function measureStaffLoad({ world, server, load, command, input }: LoadedServer): Running {
  const work = { count: world.pick(COUNT, SHORT_COUNT), inFlight: world.pick(IN_FLIGHT, 2) }
  const send = async () => {
    const done = await load.run(command, { url: server.url, ...input, ...work })
    return done as WorkDone & { readonly bytes: number }
  }
  let isWarm = world.short
  return {
    async measure(): Promise<Sample> {
      if (!isWarm) await send()
      isWarm = true
      const cpuPer = countCpu(world, server.pid)
      const { p50Ms, p99Ms, bytes } = await send()
      return { ...cpuPer(work.count), p50Ms, p99Ms, bytes, mib: residentMib(server.pid) }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
