import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker, type Worker } from '../../harness/worker.ts'

export interface FleetKind {
  readonly program: string
  /** `process`: each has its own store, so that no lease is shared. */
  readonly mode: 'fleet' | 'process' | 'none' | ''
}

export interface Fleet extends AsyncDisposable {
  runOne(command: string, input: unknown): Promise<unknown>
  runAll(command: string, input: unknown): Promise<unknown[]>
  /** The times of upstream calls since the last query. */
  takeCalls(): Promise<number[]>
}

export interface FleetOptions {
  readonly ttlMs: number
  readonly delayMs: number
  readonly processes: number
}

/** Logical databases above those of the other rows. */
let scopes = 64

/** Processes that share a cache, and the upstream behind it. */
export async function startFleet(
  world: BenchWorld,
  kind: FleetKind,
  { ttlMs, delayMs, processes }: FleetOptions,
): Promise<Fleet> {
  const isOwn = kind.program === 'own'
  if (!isOwn && !world.peersInstalled) throw new NotHere('not installed; the full run installs it')
  const scope = scopes
  scopes += processes
  const [cache, session] = await Promise.all([world.redisUrl('cache'), world.redisUrl('session')])
  const upstream = startWorker(new URL('./upstream-worker.ts', import.meta.url), { core: null })
  const program = isOwn ? new URL('./cache-worker.ts', import.meta.url) : peerProgram(kind.program)
  const workers = Array.from({ length: processes }, () => startWorker(program, { core: null }))
  const runAll = (command: string, input: unknown) =>
    Promise.all(workers.map((worker) => worker.run(command, input)))
  const upstreamUrl = await upstream.run('start', { delayMs })
  const start = (worker: Worker, index: number) => {
    const database = scope + (kind.mode === 'process' ? index : 0)
    return worker.run('start', {
      mode: kind.mode,
      ttlMs,
      upstreamUrl,
      redisCacheUrl: `${cache}/${database}`,
      redisSessionUrl: `${session}/${database}`,
    })
  }
  await Promise.all(workers.map(start))
  return {
    runAll,
    runOne: (command, input) => first(workers).run(command, input),
    takeCalls: async () => (await upstream.run('takeCalls')) as number[],
    async [Symbol.asyncDispose]() {
      await Promise.all([upstream, ...workers].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

function first(workers: readonly Worker[]): Worker {
  const [worker] = workers
  if (worker === undefined) throw new TypeError('a fleet has at least one process')
  return worker
}
