import { CpuTime } from './cpu-time.ts'
import type { BenchWorld } from './row.ts'

/** The cost of one request or row; `cpuUs` is everything, `perCore` how many a core can do. */
export interface CpuPerPiece {
  readonly cpuUs: number
  readonly ownUs: number
  readonly serverUs: number
  readonly perCore: number
}

/** Columns of rows that count the process, and Postgres and Redis. */
export const CPU_METRICS = [
  { key: 'cpuUs', label: 'CPU µs', digits: 1 },
  { key: 'ownUs', label: 'of process', digits: 1 },
  { key: 'serverUs', label: 'servers', digits: 1 },
] as const

/** Starts counting; the returned function divides what was used since then. */
export function countCpu(
  world: Pick<BenchWorld, 'serversCpuUs'>,
  pid: number,
): (pieces: number) => CpuPerPiece {
  const own = new CpuTime(pid)
  const before = { own: own.readUs(), servers: world.serversCpuUs() }
  return (pieces) => {
    const ownUs = (own.readUs() - before.own) / pieces
    const serverUs = (world.serversCpuUs() - before.servers) / pieces
    const cpuUs = ownUs + serverUs
    return { cpuUs, ownUs, serverUs, perCore: 1e6 / cpuUs }
  }
}
