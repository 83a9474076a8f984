import { setTimeout as delay } from 'node:timers/promises'
import type { BenchWorld, Fact, Row, Running, Sample } from '../../harness/row.ts'
import { slope } from '../../harness/statistics.ts'
import { findHotels } from '../other-pages/page-requests.ts'
import { openSession, startConsumer, startSearchEnvironment } from '../search/search-environment.ts'
import { readRequests } from './read-requests.ts'
import { type Sending, sendMany } from './send-many.ts'

const US = 'bff-consumer-service'
const MIB = 1_024 * 1_024
const GUESTS = 200
const LOOKS = 10
/** Small, so that it is full before the measurement starts. */
const L1_BYTES_MAX = 4 * MIB
/** Background work has ended by then. */
const SETTLE_MS = 200

const METRICS = [
  { key: 'requests', label: 'requests', digits: 0 },
  { key: 'heapMib', label: 'heap MiB', digits: 1 },
  { key: 'heapPerRequest', label: 'heap bytes left per request', digits: 2 },
  { key: 'outsideMib', label: 'buffers MiB', digits: 1 },
  { key: 'rssMib', label: 'RSS MiB', digits: 1 },
  { key: 'rssPerRequest', label: 'RSS bytes left per request', digits: 2 },
]

/** In the short form the process is still warming up, and compiled code counts as heap. */
function flat(leftBehindMax: number): Fact {
  return {
    text: `in the second half no request leaves ${leftBehindMax} bytes behind`,
    holds: (samples) =>
      [...samples.values()]
        .flat()
        .every(({ heapPerRequest = 0 }) => heapPerRequest < leftBehindMax),
  }
}

/** Memory after garbage collection, sampled repeatedly while all routes are read. */
export const rowR: Row = {
  id: 'R',
  title: 'Memory of one process while guests read everything there is to read',
  async parts(world) {
    const metrics = METRICS
    const facts = [flat(world.pick(20, 2_000))]
    const setup = () => setUp(world)
    const variants = [{ name: US, role: 'us' as const, setup }]
    return [{ title: 'memory', metrics, variants, rounds: 1, compare: 'heapMib', facts }]
  },
}

async function setUp(world: BenchWorld): Promise<Running> {
  const environment = await startSearchEnvironment(world)
  const us = await startConsumer(world, environment, {
    pageFreshMs: 60_000,
    l1MaxBytes: L1_BYTES_MAX,
    exposesGc: true,
  })
  const cookies = await Promise.all(Array.from({ length: GUESTS }, () => openSession(us.url)))
  const requests = readRequests(environment.query, await findHotels(us, environment.query))
  const count = world.pick(300_000, 3_000) / LOOKS
  const sending = { url: us.url, cookies, requests, count }
  return {
    measure: () => watch(sending, () => us.memory()),
    [Symbol.asyncDispose]: () => us[Symbol.asyncDispose](),
  }
}

async function watch(sending: Sending, look: () => Promise<NodeJS.MemoryUsage>): Promise<Sample> {
  const looks: NodeJS.MemoryUsage[] = []
  for (let turn = 0; turn < LOOKS; turn += 1) {
    await sendMany(sending)
    await delay(SETTLE_MS)
    looks.push(await look())
  }
  const late = looks.slice(LOOKS / 2)
  const last = looks.at(-1)
  return {
    requests: sending.count * LOOKS,
    heapMib: (last?.heapUsed ?? Number.NaN) / MIB,
    heapPerRequest: slope(late.map(({ heapUsed }) => heapUsed)) / sending.count,
    outsideMib: (last?.arrayBuffers ?? Number.NaN) / MIB,
    rssMib: (last?.rss ?? Number.NaN) / MIB,
    rssPerRequest: slope(late.map(({ rss }) => rss)) / sending.count,
  }
}
