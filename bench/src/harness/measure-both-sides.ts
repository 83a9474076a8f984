import type { WorkDone } from './measure-work.ts'
import type { BenchWorld, Running, Sample } from './row.ts'
import type { Worker } from './worker.ts'

export interface BothSides {
  readonly world: BenchWorld
  readonly worker: Worker
  readonly input: { readonly count: number }
  /** Rows per unit of work. */
  readonly perPiece?: number
}

/** CPU of the process and of the servers it uses, each per unit of work. */
export function measureBothSides({ world, worker, input, perPiece = 1 }: BothSides): Running {
  return {
    async measure(): Promise<Sample> {
      await worker.run('prepare', input)
      const before = world.serversCpuUs()
      const done = (await worker.run('measure', input)) as WorkDone
      const pieces = input.count * perPiece
      const clientUs = done.cpuUs / pieces
      const serverUs = (world.serversCpuUs() - before) / pieces
      return {
        cpuUs: clientUs + serverUs,
        clientUs,
        serverUs,
        perSecond: (pieces / done.wallMs) * 1000,
        p50Ms: done.p50Ms,
        p99Ms: done.p99Ms,
      }
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
