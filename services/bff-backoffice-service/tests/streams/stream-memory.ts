import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { eventually, spawnProcess, spawnService, testRedis } from '@melmastoon/testkit'
import { startWithFakes } from '../harness/start-with-fakes.ts'
import { TestStream } from '../harness/test-stream.ts'
import { type Memory, memoryOf } from './report-memory.ts'
import { StreamFixture } from './stream-fixture.ts'

const SERVICE = new URL('./memory-process.ts', import.meta.url)
const BARE = new URL('./bare-process.ts', import.meta.url)
const AT_ONCE = 25

export interface StreamMemory {
  readonly usedPerStream: number
  readonly rssPerStream: number
}

function perStream(before: Memory, after: Memory, count: number): StreamMemory {
  return {
    usedPerStream: (after.used - before.used) / count,
    rssPerStream: (after.rss - before.rss) / count,
  }
}

async function atOnce<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const missing = Math.min(AT_ONCE, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: missing }, make))))
  }
  return made
}

/** Without authentication and its caches. The first streams pay for compiled code. */
export async function measureBareStreams(warmUp: number, count: number): Promise<StreamMemory> {
  const redis = await testRedis()
  await using child = spawnProcess(BARE, { env: { REDIS_SESSION_URL: redis.sessionUrl } })
  const [, url = ''] = (await child.waitForLine('listening')).split(' ')
  const open = async () => {
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
    return await TestStream.read(response)
  }
  const first = await atOnce(warmUp, open)
  const before = await memoryOf(child)
  const streams = await atOnce(count, open)
  const after = await memoryOf(child)
  for (const stream of [...first, ...streams]) stream.disconnect()
  return perStream(before, after, count)
}

export interface ServiceMemory extends StreamMemory {
  readonly rss: number
  /** From the publication of one event until the last of all streams has it. */
  readonly lastEventMs: number
}

/**
 * The whole service: each stream has a device, a session and a token of its own. All devices have
 * sent a request before, so that what the service remembers of them does not count as streams.
 */
export async function measureService(count: number): Promise<ServiceMemory> {
  await using running = await startWithFakes({ access: { failures: 1_000_000 } })
  await using service = await spawnService(SERVICE, running.env)
  const fixture = new StreamFixture(running)
  const devices = await atOnce(count, async () => {
    const device = await fixture.device()
    await device.get(service, '/session')
    return device
  })
  const remaining = [...devices]
  const before = await memoryOf(service)
  const streams = await atOnce(count, async () => {
    const device = remaining.pop()
    if (device === undefined) throw new TypeError('too few devices')
    return await TestStream.open(service, device)
  })
  const after = await memoryOf(service)
  const startedMs = performance.now()
  await fixture.publish(1)
  const hasAll = () => streams.every((stream) => stream.named('arrivals').length === 1)
  await eventually(() => {
    if (!hasAll()) throw new Error('some streams have not received the event')
  })
  const lastEventMs = performance.now() - startedMs
  for (const stream of streams) stream.disconnect()
  return { ...perStream(before, after, count), rss: after.rss, lastEventMs }
}
