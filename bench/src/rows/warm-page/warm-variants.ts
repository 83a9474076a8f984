import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MachineError, type Tool } from '@melmastoon/one-machine'
import { CPU_METRICS } from '../../harness/cpu-per-piece.ts'
import { findWrk } from '../../harness/http-load.ts'
import { kept, type PageServer } from '../../harness/page-server.ts'
import type { BenchWorld, Goal, Role, Variant } from '../../harness/row.ts'
import { warmScript } from '../search/queries.ts'
import type { ConsumerServer } from '../search/search-environment.ts'
import { startNginx } from './nginx.ts'
import { loadPage } from './page-variant.ts'
import { BROWSER, type Page, type PageRequest, startPeer, startRaw } from './read-page.ts'

const NGINX = 'nginx proxy_cache'
const RAW = 'node:http, ready bytes'
export const US = 'bff-consumer-service'
const NEST = 'NestJS (Express) + cache-manager on Redis'
const FASTIFY = 'Fastify + Redis GET + parse + stringify'
export const BR = ', brotli'
const NOT_MODIFIED = ', 304'

/** Longer than the benchmark, so that the page stays cached. */
export const PAGE_FRESH_MS = 3_600_000

export const WARM_METRICS = [
  ...CPU_METRICS,
  { key: 'perCore', label: 'req/s/core', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
  { key: 'bytes', label: 'bytes', digits: 0 },
  { key: 'mib', label: 'RSS MiB', digits: 0 },
]

export const packed = { floor: RAW + BR, us: US + BR }

/** The bounds for a cached page, as it is and compressed. */
export function readyGoals(what: string, [plain, brotli]: readonly [number, number]): Goal[] {
  return [
    { text: `CPU of ${what}`, metric: 'cpuUs', variant: US, against: RAW, atMost: plain },
    {
      text: `CPU of ${what}, brotli`,
      metric: 'cpuUs',
      variant: US + BR,
      against: RAW + BR,
      atMost: brotli,
      columns: packed,
    },
    { text: `p99 of ${what}`, metric: 'p99Ms', variant: US, against: RAW, atMost: 1.5 },
  ]
}

/** Compared with peers: smaller pages cost them less, and us the same. */
export const PEER_GOALS: readonly Goal[] = [
  {
    text: 'CPU against NestJS + Redis',
    metric: 'cpuUs',
    variant: NEST,
    against: US,
    atLeast: 28,
    columns: { peer: NEST },
  },
  {
    text: 'CPU against Fastify + Redis',
    metric: 'cpuUs',
    variant: FASTIFY,
    against: US,
    atLeast: 13,
    columns: { peer: FASTIFY },
  },
  { text: 'CPU against nginx', metric: 'cpuUs', variant: US, against: NGINX, atMost: 2.5 },
]

export async function findLoad(world: BenchWorld): Promise<Tool | null> {
  if (world.short) return null
  try {
    return await findWrk()
  } catch (error) {
    if (!(error instanceof MachineError)) throw error
    throw new Error(`warm pages need wrk: ${error.message}`, { cause: error })
  }
}

export interface Scene {
  readonly world: BenchWorld
  readonly wrk: Tool | null
  readonly page: Page
  /** Runs as long as its row. */
  readonly us: ConsumerServer
  readonly request: PageRequest
}

type Kind = 'plain' | 'brotli' | 'unchanged'

/**
 * Several variants use the same server; the last one stops it. `all` adds nginx and NestJS, whose
 * cost per page row A shows.
 */
export function warmVariants(scene: Scene, { all = false } = {}): Variant[] {
  const { world, page, request } = scene
  // Only GET has 304 (RFC 9110 §13.1.2); a search is sent by POST.
  const conditional = request.query === undefined && request.isVolatile !== true
  const users = 2 + (conditional ? 1 : 0) + (all ? 1 : 0)
  const raw = shared(users, () => startRaw(world, page))
  const us = kept(scene.us)
  const stored = { ...request, body: page.body.toString() }
  const on = (name: string, role: Role, how: { start: () => Promise<PageServer>; kind?: Kind }) =>
    variant(scene, { name, role, kind: 'plain', ...how })
  const peer = (file: string) => () => startPeer(world, file, stored)
  return [
    ...(all ? [on(NGINX, 'limit', { start: () => startCachingNginx(world, raw) })] : []),
    on(RAW, 'floor', { start: raw }),
    on(RAW + BR, 'control', { start: raw, kind: 'brotli' }),
    ...(conditional ? [on(RAW + NOT_MODIFIED, 'control', { start: raw, kind: 'unchanged' })] : []),
    on(US, 'us', { start: us }),
    on(US + BR, 'us', { start: us, kind: 'brotli' }),
    ...(conditional ? [on(US + NOT_MODIFIED, 'us', { start: us, kind: 'unchanged' })] : []),
    on(FASTIFY, 'peer', { start: peer('fastify-page.mjs') }),
    ...(all ? [on(NEST, 'peer', { start: peer('nest-page.mjs') })] : []),
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

function variant({ world, wrk, page, us, request }: Scene, options: PageVariant): Variant {
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
      const { path, query } = request
      const load = { world, wrk, server: await start(), path, headers, expect }
      if (query === undefined) return loadPage(load)
      const script = writeScript(world, `warm-${load.server.pid}.lua`, warmScript(query))
      return loadPage({ ...load, bodies: [query], script })
    },
  }
}

export function writeScript(world: BenchWorld, name: string, text: string): string {
  const path = join(world.folder('wrk'), name)
  writeFileSync(path, text)
  return path
}
