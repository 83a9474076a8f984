import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import { Agent, request } from 'undici'
import type { CacheOptions, CachePolicy } from '../../src/cache/index.ts'

export interface ProcessConfig {
  cacheUrl: string
  versionsUrl: string
  upstreamUrl: string
  policy: Omit<CachePolicy, 'softTtlMs'> & { softTtlMs: number }
  singleFlight?: NonNullable<CacheOptions['singleFlight']>
}

/** `count` gets at once, repeated with pauses while `durationMs` lasts. */
export interface Command {
  key: string
  count: number
  tags?: string[]
  deadlineMs?: number
  durationMs?: number
  pauseMs?: number
}

export interface BurstReport {
  states: string[]
  /** The upstream call each answer came from. */
  calls: number[]
  errors: string[]
  tookMs: number[]
  counts: Record<string, number>
}

export interface CacheProcess extends AsyncDisposable {
  readonly process: SpawnedProcess
  run(command: Command): Promise<BurstReport>
  signal(signal: NodeJS.Signals): void
}

const agent = new Agent({ headersTimeout: 60_000, bodyTimeout: 60_000 })

export async function startCacheProcess(config: ProcessConfig): Promise<CacheProcess> {
  const entry = new URL('./cache-process.ts', import.meta.url)
  const spawned = spawnProcess(entry, { args: [JSON.stringify(config)] })
  const line = await spawned.waitForLine(/^listening \d+/)
  const url = `http://127.0.0.1:${line.split(' ')[1]}/`
  return {
    process: spawned,
    async run(command) {
      const body = JSON.stringify(command)
      const response = await request(url, { method: 'POST', body, dispatcher: agent })
      return (await response.body.json()) as BurstReport
    },
    signal: (signal) => void process.kill(spawned.pid, signal),
    [Symbol.asyncDispose]: () => spawned[Symbol.asyncDispose](),
  }
}

export interface Fleet extends AsyncDisposable {
  readonly members: readonly CacheProcess[]
  runAll(command: Command): Promise<BurstReport>
}

export async function startFleet(size: number, config: ProcessConfig): Promise<Fleet> {
  const members = await Promise.all(Array.from({ length: size }, () => startCacheProcess(config)))
  return {
    members,
    async runAll(command) {
      const reports = await Promise.all(members.map((member) => member.run(command)))
      return {
        states: reports.flatMap((report) => report.states),
        calls: reports.flatMap((report) => report.calls),
        errors: reports.flatMap((report) => report.errors),
        tookMs: reports.flatMap((report) => report.tookMs),
        counts: sumCounts(reports.map((report) => report.counts)),
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(members.map((member) => member[Symbol.asyncDispose]()))
    },
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function sumCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const counts of all) {
    for (const [name, value] of Object.entries(counts)) total[name] = (total[name] ?? 0) + value
  }
  return total
}
