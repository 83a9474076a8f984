import { LOAD_CORE } from '../../harness/cores.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Role, Variant } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker } from '../../harness/worker.ts'
import { type ConsumerServer, SEARCH } from '../search/search-environment.ts'
import { loadPage, type PageServer } from '../warm-page/page-variant.ts'
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

/** Sessions in the store of a running service; their cookies. */
export async function makeGuests(us: ConsumerServer, guests: NewGuests): Promise<string[]> {
  const entry = new URL('./guest-maker.ts', import.meta.url)
  await using worker = startWorker(entry, { env: us.env, core: LOAD_CORE })
  return (await worker.run('makeGuests', guests)) as string[]
}

/** Runs as long as its row. */
export function running(server: PageServer): () => Promise<PageServer> {
  return async () => ({ ...server, [Symbol.asyncDispose]: async () => undefined })
}

export interface WithSessions {
  readonly page: Page
  readonly body: string
  readonly cookies: readonly string[]
}

const SESSIONS_DATABASE = 62
const FASTIFY_DATABASE = 63

export function startSessions(world: BenchWorld, given: WithSessions): Promise<PageServer> {
  return start(world, new URL('./session-server.ts', import.meta.url), {
    ...given,
    database: SESSIONS_DATABASE,
  })
}

export async function startFastify(world: BenchWorld, given: WithSessions): Promise<PageServer> {
  if (!world.peersInstalled) throw new NotHere('not installed; the full run installs it')
  const program = peerProgram('fastify-session-page.mjs')
  return start(world, program, { ...given, database: FASTIFY_DATABASE })
}

async function start(
  world: BenchWorld,
  program: URL,
  { page, body: query, cookies, database }: WithSessions & { readonly database: number },
): Promise<PageServer> {
  const worker = startWorker(program)
  const redisUrl = `${await world.redisUrl('session')}/${database}`
  const { headers } = page
  const body = page.body.toString()
  const port = await worker.run('start', { redisUrl, body, headers, cookies, query, path: SEARCH })
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
