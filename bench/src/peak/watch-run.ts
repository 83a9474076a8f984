import { readFileSync } from 'node:fs'
import { createDatabase, sql } from '@melmastoon/chassis/db'
import { CpuTime } from '../harness/cpu-time.ts'

/** Counted with its children. */
export interface WatchedProcess {
  readonly name: string
  readonly pid: number
}

export interface Watched {
  /** Shares of a core by process. */
  readonly processes: Readonly<Record<string, number>>
  /** Shares of each core, all programs of the machine together. */
  readonly cores: readonly number[]
  readonly outboxOldestSeconds: number
}

const EVERY_MS = 1_000

/** Observes the processes and the outbox until it is stopped. */
export function watchRun(databaseUrl: string, processes: readonly WatchedProcess[]) {
  const db = createDatabase({ url: databaseUrl, poolMax: 1, onError: () => undefined })
  const readers = processes.map(({ name, pid }) => ({ name, cpu: new CpuTime(pid) }))
  const read = () => readers.map(({ cpu }) => cpu.readUs())
  const before = { atMs: performance.now(), us: read(), cores: readCores() }
  let oldest = 0
  const look = async () => {
    // A process that ends and is not waited for is counted until the last look.
    read()
    oldest = Math.max(oldest, await oldestUnpublished(db))
  }
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined)
  }, EVERY_MS)
  return {
    async stop(): Promise<Watched> {
      clearInterval(timer)
      await looking
      const wallUs = (performance.now() - before.atMs) * 1_000
      const now = read()
      await db[Symbol.asyncDispose]()
      const shares = readers.map(({ name }, at) => [
        name,
        ((now[at] ?? 0) - (before.us[at] ?? 0)) / wallUs,
      ])
      return {
        processes: Object.fromEntries(shares) as Record<string, number>,
        cores: busyShares(before.cores, readCores()),
        outboxOldestSeconds: oldest,
      }
    },
  }
}

type Database = ReturnType<typeof createDatabase>

async function oldestUnpublished(db: Database): Promise<number> {
  const [row] = await db.query(sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(enqueued_at)), 0)::float8 as seconds
    from bff_backoffice.outbox where not dlq`)
  return row?.seconds ?? 0
}

interface CoreTimes {
  readonly busy: number
  readonly total: number
}

/** Ticks of each core since the machine was started. */
function readCores(): CoreTimes[] {
  const lines = readFileSync('/proc/stat', 'utf8').match(/^cpu\d+ .*$/gm) ?? []
  return lines.map((line) => {
    const ticks = line.split(/\s+/).slice(1).map(Number)
    const total = ticks.reduce((sum, each) => sum + each, 0)
    const [, , , idle = 0, waiting = 0] = ticks
    return { busy: total - idle - waiting, total }
  })
}

function busyShares(before: readonly CoreTimes[], after: readonly CoreTimes[]): number[] {
  return after.map(({ busy, total }, at) => {
    const { busy: busyBefore = 0, total: totalBefore = 0 } = before[at] ?? {}
    return (busy - busyBefore) / Math.max(1, total - totalBefore)
  })
}
