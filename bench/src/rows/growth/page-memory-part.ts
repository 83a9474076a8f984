import { setTimeout as delay } from 'node:timers/promises'
import type { BenchWorld, Part, Running, Sample } from '../../harness/row.ts'
import { slope } from '../../harness/statistics.ts'
import { sendMany } from '../memory/send-many.ts'
import { coldQueries } from '../search/queries.ts'
import {
  openSession,
  SEARCH,
  type SearchEnvironment,
  startConsumer,
} from '../search/search-environment.ts'
import { PAGE_FRESH_MS } from '../warm-page/warm-variants.ts'

const MIB = 1_024 * 1_024
const LOOKS = 4
/** The cache of the process is full before that. */
const FIRST_LOOKS = 1
const GUESTS = 64
/** More would only wait for the upstreams. */
const CONNECTIONS = 4
const SETTLE_MS = 500
const PAGES = 10_000

const METRICS = [
  { key: 'pages', label: 'pages', digits: 0 },
  { key: 'heapMib', label: 'heap MiB', digits: 1 },
  { key: 'outsideMib', label: 'buffers MiB', digits: 1 },
  { key: 'rssMib', label: 'RSS MiB', digits: 0 },
  { key: 'heapPer10k', label: 'heap MiB per 10,000 pages', digits: 2 },
  { key: 'outsidePer10k', label: 'buffers MiB per 10,000 pages', digits: 2 },
  { key: 'rssPer10k', label: 'RSS MiB per 10,000 pages', digits: 2 },
]

/** Memory after garbage collection while a process composes pages that nobody reads again. */
export function pageMemoryPart(world: BenchWorld, environment: SearchEnvironment): Part {
  const setup = () => setUp(world, environment)
  return {
    title: 'memory of composed pages',
    metrics: METRICS,
    variants: [{ name: 'bff-consumer-service', role: 'us', setup }],
    rounds: 1,
    compare: 'heapMib',
  }
}

async function setUp(world: BenchWorld, environment: SearchEnvironment): Promise<Running> {
  const us = await startConsumer(world, environment, {
    pageFreshMs: PAGE_FRESH_MS,
    exposesGc: true,
  })
  const cookies = await Promise.all(Array.from({ length: GUESTS }, () => openSession(us.url)))
  const count = world.pick(PAGES / LOOKS, 20)
  const requests = coldQueries(environment.query, count * LOOKS).map((query) => ({
    method: 'POST' as const,
    path: SEARCH,
    body: JSON.stringify(query),
  }))
  const measure = async (): Promise<Sample> => {
    const looks: NodeJS.MemoryUsage[] = []
    for (let look = 0; look < LOOKS; look += 1) {
      const some = requests.slice(look * count, (look + 1) * count)
      await sendMany({ url: us.url, cookies, requests: some, count, connections: CONNECTIONS })
      await delay(SETTLE_MS)
      looks.push(await us.memory())
    }
    return describe(looks, count)
  }
  return { measure, [Symbol.asyncDispose]: () => us[Symbol.asyncDispose]() }
}

function describe(looks: readonly NodeJS.MemoryUsage[], count: number): Sample {
  const last = looks.at(-1)
  const late = looks.slice(FIRST_LOOKS)
  const mib = (bytes = Number.NaN) => bytes / MIB
  const per10k = (values: readonly number[]) => mib((slope(values) / count) * PAGES)
  return {
    pages: count * looks.length,
    heapMib: mib(last?.heapUsed),
    outsideMib: mib(last?.arrayBuffers),
    rssMib: mib(last?.rss),
    heapPer10k: per10k(late.map(({ heapUsed }) => heapUsed)),
    outsidePer10k: per10k(late.map(({ arrayBuffers }) => arrayBuffers)),
    rssPer10k: per10k(late.map(({ rss }) => rss)),
  }
}
