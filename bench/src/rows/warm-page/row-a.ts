import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import { MachineError, type Tool } from '@melmastoon/one-machine'
import { findWrk } from '../../harness/http-load.ts'
import type { BenchWorld, Goal, Part, Role, Row, Variant } from '../../harness/row.ts'
import { rotatingScript, warmScript } from '../search/questions.ts'
import {
  type ConsumerServer,
  SEARCH,
  type SearchStage,
  setSearchStage,
  startConsumer,
} from '../search/stage.ts'
import { startNginx } from './nginx.ts'
import { loadPage, type PageServer } from './page-variant.ts'
import { BROWSER, type Page, readPage, startPeer, startRaw } from './stage.ts'

const NGINX = 'nginx proxy_cache'
const RAW = 'node:http, ready bytes'
const US = 'bff-consumer-service'
const NEST = 'NestJS (Express) + cache-manager on Redis'
const FASTIFY = 'Fastify + Redis GET + parse + stringify'
const BR = ', brotli'
const NOT_MODIFIED = ', 304'
const L2 = `${US}, L2 hit${BR}`

/** Longer than the bench: the page stays warm. */
const PAGE_FRESH_MS = 3_600_000

const METRICS = [
  { key: 'cpuUs', label: 'CPU µs', digits: 1 },
  { key: 'perCore', label: 'req/s/core', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
  { key: 'bytes', label: 'bytes', digits: 0 },
  { key: 'mib', label: 'RSS MiB', digits: 0 },
]

const packed = { floor: RAW + BR, us: US + BR }
const GOALS: readonly Goal[] = [
  { text: 'CPU of a warm search', metric: 'cpuUs', variant: US, against: RAW, atMost: 1.35 },
  {
    text: 'CPU, brotli',
    metric: 'cpuUs',
    variant: US + BR,
    against: RAW + BR,
    atMost: 1.35,
    columns: packed,
  },
  { text: 'p99 of a warm search', metric: 'p99Ms', variant: US, against: RAW, atMost: 1.5 },
  {
    text: 'CPU against NestJS + Redis',
    metric: 'cpuUs',
    variant: NEST,
    against: US,
    atLeast: 30,
    columns: { peer: NEST },
  },
  {
    text: 'CPU against Fastify + Redis',
    metric: 'cpuUs',
    variant: FASTIFY,
    against: US,
    atLeast: 12,
    columns: { peer: FASTIFY },
  },
  { text: 'CPU against nginx', metric: 'cpuUs', variant: US, against: NGINX, atMost: 2.5 },
  {
    text: 'CPU of an L2 hit against an L1 hit',
    metric: 'cpuUs',
    variant: L2,
    against: US + BR,
    atMost: 2,
    columns: { ...packed, us: L2 },
  },
]

export const rowA: Row = {
  id: 'A',
  title: 'A warm search, about 40 KiB of JSON, with session, limit and metrics',
  async parts(world) {
    const stage = await setSearchStage(world)
    const us = await startConsumer(world, stage, { pageFreshMs: PAGE_FRESH_MS })
    const question = JSON.stringify(stage.question)
    const page = await readPage(us, question)
    const wrk = world.short ? null : await findLoad()
    const part: Part = {
      title: 'warm search',
      metrics: METRICS,
      variants: warmVariants({ world, stage, wrk, page, us, question }),
      rounds: world.pick(5, 1),
      compare: 'cpuUs',
      goals: GOALS,
    }
    return [part]
  },
}

async function findLoad(): Promise<Tool | null> {
  try {
    return await findWrk()
  } catch (error) {
    if (!(error instanceof MachineError)) throw error
    throw new Error(`row A needs wrk: ${error.message}`, { cause: error })
  }
}

interface Scene {
  readonly world: BenchWorld
  readonly stage: SearchStage
  readonly wrk: Tool | null
  readonly page: Page
  readonly us: ConsumerServer
  readonly question: string
}

type Kind = 'plain' | 'brotli' | 'unchanged'

/** Several variants ask the same server in different ways; the last one to end stops it. */
function warmVariants(scene: Scene): Variant[] {
  const { world, stage, page, question } = scene
  const raw = shared(4, () => startRaw(page))
  const us = shared(3, async () => ({
    ...scene.us,
    async [Symbol.asyncDispose]() {
      await scene.us[Symbol.asyncDispose]()
      await stage[Symbol.asyncDispose]()
    },
  }))
  const body = page.body.toString()
  const on = (name: string, role: Role, how: { start: () => Promise<PageServer>; kind?: Kind }) =>
    variant(scene, { name, role, kind: 'plain', ...how })
  const fastify = () => startPeer(world, 'fastify-page.mjs', { body, question, database: 60 })
  const nest = () => startPeer(world, 'nest-page.mjs', { body, question, database: 61 })
  return [
    on(NGINX, 'limit', { start: () => startCachingNginx(world, raw) }),
    on(RAW, 'floor', { start: raw }),
    on(RAW + BR, 'control', { start: raw, kind: 'brotli' }),
    on(RAW + NOT_MODIFIED, 'control', { start: raw, kind: 'unchanged' }),
    on(US, 'us', { start: us }),
    on(US + BR, 'us', { start: us, kind: 'brotli' }),
    on(US + NOT_MODIFIED, 'us', { start: us, kind: 'unchanged' }),
    l2Variant(scene),
    on(FASTIFY, 'peer', { start: fastify }),
    on(NEST, 'peer', { start: nest }),
  ]
}

function shared<T extends AsyncDisposable>(users: number, start: () => Promise<T>) {
  let started: Promise<T> | undefined
  let left = users
  return async (): Promise<T> => {
    started ??= start()
    const server = await started
    const leave = async () => {
      left -= 1
      if (left === 0) await server[Symbol.asyncDispose]()
    }
    return { ...server, [Symbol.asyncDispose]: leave }
  }
}

async function startCachingNginx(
  world: BenchWorld,
  raw: () => Promise<PageServer>,
): Promise<PageServer> {
  const origin = await raw()
  const leave = () => origin[Symbol.asyncDispose]()
  try {
    const nginx = await startNginx(world, origin.url)
    const stop = () => nginx.kill().then(leave)
    return { url: nginx.url, pid: nginx.pid, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await leave()
    throw error
  }
}

interface PageVariant {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
  readonly kind: Kind
}

function variant({ world, wrk, page, us, question }: Scene, options: PageVariant): Variant {
  const { name, role, start, kind } = options
  const headers = {
    cookie: us.cookie,
    ...(kind === 'brotli' && BROWSER),
    ...(kind === 'unchanged' && { 'if-none-match': page.etag }),
  }
  const expect = { status: kind === 'unchanged' ? 304 : 200 }
  return {
    name,
    role,
    async setup() {
      const script = writeScript(world, 'warm.lua', warmScript(question))
      const server = await start()
      const bodies = [question]
      return loadPage({ world, wrk, server, path: SEARCH, headers, expect, bodies, script })
    },
  }
}

/** One key after the other, more of them than connections: no request may share another's read. */
function everyView(question: string): string[] {
  return LOCALES.flatMap((locale) =>
    CURRENCY_CODES.map((currency) => JSON.stringify({ ...JSON.parse(question), locale, currency })),
  )
}

function l2Variant({ world, wrk, stage, question }: Scene): Variant {
  return {
    name: L2,
    role: 'us',
    async setup() {
      const bodies = everyView(question)
      const script = writeScript(world, 'rotate.lua', rotatingScript(bodies))
      const settings = { pageFreshMs: PAGE_FRESH_MS, withoutL1: true }
      const server = await startConsumer(world, stage, settings)
      const headers = { cookie: server.cookie, ...BROWSER }
      const expect = { status: 200, xCache: 'HIT' }
      const load = { path: SEARCH, headers, expect, bodies, script, connections: 16 }
      return loadPage({ world, wrk, server, ...load })
    },
  }
}

function writeScript(world: BenchWorld, name: string, text: string): string {
  const path = join(world.folder('wrk'), name)
  writeFileSync(path, text)
  return path
}
