import { percentile } from './statistics.ts'

export interface Work {
  readonly count: number
  readonly inFlight: number
  readonly run: (index: number) => Promise<unknown>
}

export interface WorkDone {
  readonly cpuUs: number
  readonly wallMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Does the work with fixed concurrency; CPU is that of this process, all threads. */
export async function measureWork({ count, inFlight, run }: Work): Promise<WorkDone> {
  const latencies = new Float64Array(count)
  let next = 0
  const workOneByOne = async () => {
    while (next < count) {
      const index = next
      next += 1
      const startedAt = performance.now()
      await run(index)
      latencies[index] = performance.now() - startedAt
    }
  }
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: inFlight }, workOneByOne))
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  const all = [...latencies]
  return {
    cpuUs: user + system,
    wallMs,
    p50Ms: percentile(all, 0.5),
    p99Ms: percentile(all, 0.99),
  }
}
