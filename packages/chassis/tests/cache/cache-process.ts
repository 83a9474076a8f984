import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isProblem, problem } from '@melmastoon/domain'
import { Agent, request } from 'undici'
import { type CacheOptions, createCache } from '../../src/cache/index.ts'
import { createDeadline } from '../../src/clock/index.ts'
import { createRedis } from '../../src/redis/index.ts'
import type { BurstReport, Command, ProcessConfig } from './cache-fleet.ts'
import { callOf } from './counting-upstream.ts'

const config: ProcessConfig = JSON.parse(process.argv[2] ?? '{}')
const counts: Record<string, number> = {}
const count = (name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}
const onError = () => count('redisError')
const options: CacheOptions = {
  redis: createRedis(config.cacheUrl, { name: 'test-cache', onError }),
  versions: createRedis(config.versionsUrl, { name: 'test-versions', onError }),
  singleFlight: config.singleFlight ?? 'fleet',
  metrics: {
    onUpstreamCall: () => count('upstreamCall'),
    onFencedWrite: () => count('fencedWrite'),
    onEarlyRefresh: () => count('earlyRefresh'),
    onLeaseWait: () => count('leaseWait'),
    onResult: (_, state) => count(state),
  },
}
const cache = createCache(options)
const pages = cache.define({ name: 'page', dimensions: ['key'], ...config.policy })
const agent = new Agent({ connections: 1_500, pipelining: 1 })

async function load(signal: AbortSignal): Promise<{ body: Buffer }> {
  const response = await request(config.upstreamUrl, { dispatcher: agent, signal })
  const body = Buffer.from(await response.body.arrayBuffer())
  if (response.statusCode >= 500) throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
  return { body }
}

async function getOnce(command: Command, report: BurstReport): Promise<void> {
  using deadline = createDeadline(command.deadlineMs ?? 10_000)
  const startedMs = performance.now()
  try {
    const tags = command.tags ?? []
    const hit = await pages.get({ dims: { key: command.key }, tags, deadline, load })
    report.tookMs.push(performance.now() - startedMs)
    report.states.push(hit.state)
    report.calls.push(callOf(hit.body))
  } catch (error) {
    report.tookMs.push(performance.now() - startedMs)
    report.errors.push(isProblem(error) ? error.code : String(error))
  }
}

async function run(command: Command): Promise<BurstReport> {
  const report: BurstReport = { states: [], calls: [], errors: [], tookMs: [], counts }
  const endsAtMs = performance.now() + (command.durationMs ?? 0)
  do {
    const burst = Array.from({ length: command.count }, () => getOnce(command, report))
    await Promise.all(burst)
    if (command.pauseMs !== undefined) await sleep(command.pauseMs)
  } while (performance.now() < endsAtMs)
  return report
}

async function readCommand(message: IncomingMessage): Promise<Command> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}

const server = createServer((message, response) => {
  void readCommand(message)
    .then(run)
    .then((report) => response.end(JSON.stringify(report)))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`listening ${port}\n`)
})
