import { LOAD_CORE } from '../../harness/cores.ts'
import { type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Role, Variant } from '../../harness/row.ts'
import { startWorker } from '../../harness/worker.ts'
import { type ConsumerServer, SEARCH } from '../search/search-environment.ts'
import { loadPage } from '../warm-page/page-variant.ts'
import type { Page } from '../warm-page/read-page.ts'
import { findLoad } from '../warm-page/warm-variants.ts'
import type { GuestLoad } from './guest-load.ts'
import type { NewGuests } from './guest-maker.ts'

export interface VisitedServer {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
  readonly load: () => GuestLoad | Promise<GuestLoad>
}

export function guestVariant(world: BenchWorld, visited: VisitedServer): Variant {
  const { name, role, start, load } = visited
  return {
    name,
    role,
    async setup() {
      const [wrk, sent, server] = [await findLoad(world), await load(), await start()]
      const request = { path: SEARCH, headers: {}, expect: { status: 200 } }
      return loadPage({ world, wrk, server, ...request, ...sent })
    },
  }
}

/** Stores sessions for a running service; the cookies of each set. */
export async function makeGuests(
  us: ConsumerServer,
  ...sets: readonly NewGuests[]
): Promise<string[][]> {
  const entry = new URL('./guest-maker.ts', import.meta.url)
  await using worker = startWorker(entry, { env: us.env, core: LOAD_CORE })
  const cookies: string[][] = []
  for (const set of sets) cookies.push((await worker.run('makeGuests', set)) as string[])
  return cookies
}

export interface WithSessions {
  readonly page: Page
  readonly body: string
  readonly cookies: readonly string[]
}

export const SESSION_SERVER = new URL('./session-server.ts', import.meta.url)
export const FASTIFY_SERVER = peerProgram('fastify-session-page.mjs')

/** A server that reads the sessions of guests from Redis. */
export async function startWithSessions(
  world: BenchWorld,
  program: URL,
  { page, body: query, cookies }: WithSessions,
): Promise<PageServer> {
  const redisUrl = await world.emptyRedis('session')
  const body = page.body.toString()
  const { headers } = page
  const given = { redisUrl, body, headers, cookies, query, path: SEARCH }
  return startPageServer(world, program, given)
}
