import { setTimeout as sleep } from 'node:timers/promises'
import { isProblem, problem } from '@melmastoon/domain'
import { Agent, request } from 'undici'
import type { CacheControls } from '../../src/cache/create-cache.ts'
import type { CachePolicy } from '../../src/cache/index.ts'
import { createDeadline } from '../../src/clock/index.ts'
import { callOf } from './counting-upstream.ts'
import { openCache, type RedisUrls } from './open-cache.ts'

export interface ReaderConfig extends RedisUrls, CacheControls {
  upstreamUrl: string
  policy: CachePolicy & { softTtlMs: number }
}

/** `count` concurrent gets, repeated with pauses for `durationMs`. */
export interface Command {
  key: string
  count: number
  tags?: string[]
  durationMs?: number
  pauseMs?: number
}

export interface Report {
  states: string[]
  /** The upstream call that each response came from. */
  calls: number[]
  errors: string[]
  tookMs: number[]
  counts: Record<string, number>
}

export interface PageReader extends AsyncDisposable {
  run(command: Command): Promise<Report>
}

/** Reads pages of a counting upstream through its own cache, in this process or in another. */
export function createPageReader(config: ReaderConfig): PageReader {
  const { singleFlight, leaseMs } = config
  const open = openCache(config, { singleFlight, leaseMs })
  const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...config.policy })
  const agent = new Agent({ connections: 100 })
  const load = async (signal: AbortSignal) => {
    const response = await request(config.upstreamUrl, { dispatcher: agent, signal })
    const body = Buffer.from(await response.body.arrayBuffer())
    if (response.statusCode >= 500) throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
    return { body }
  }
  const getOnce = async ({ key, tags = [] }: Command, report: Report) => {
    using deadline = createDeadline(20_000)
    const startedMs = performance.now()
    try {
      const hit = await pages.get({ dims: { key }, tags, deadline, load })
      report.tookMs.push(performance.now() - startedMs)
      report.states.push(hit.state)
      report.calls.push(callOf(hit.body))
    } catch (error) {
      report.errors.push(isProblem(error) ? error.code : String(error))
    }
  }
  return {
    async run(command) {
      const { counts } = open
      const report: Report = { states: [], calls: [], errors: [], tookMs: [], counts }
      const endsAtMs = performance.now() + (command.durationMs ?? 0)
      do {
        await Promise.all(Array.from({ length: command.count }, () => getOnce(command, report)))
        if (command.pauseMs !== undefined) await sleep(command.pauseMs)
      } while (performance.now() < endsAtMs)
      return report
    },
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]()
      await agent.destroy()
    },
  }
}

export async function runAll(readers: readonly PageReader[], command: Command): Promise<Report> {
  const reports = await Promise.all(readers.map((reader) => reader.run(command)))
  return {
    states: reports.flatMap((report) => report.states),
    calls: reports.flatMap((report) => report.calls),
    errors: reports.flatMap((report) => report.errors),
    tookMs: reports.flatMap((report) => report.tookMs),
    counts: {},
  }
}
