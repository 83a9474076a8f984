import { kept } from '../../harness/page-server.ts'
import type { BenchWorld, Goal, Part, Row } from '../../harness/row.ts'
import {
  type ConsumerServer,
  SEARCH,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { type Page, readPage, startRaw } from '../warm-page/read-page.ts'
import { PAGE_FRESH_MS, WARM_METRICS } from '../warm-page/warm-variants.ts'
import { guestsInTurn, guestsOnce } from './guest-load.ts'
import {
  FASTIFY_SERVER,
  guestVariant,
  makeGuests,
  SESSION_SERVER,
  startWithSessions,
} from './guest-variants.ts'

const SESSION = 'node:http, ready bytes, session from Redis'
const RAW = 'node:http, ready bytes'
const RELOADED = 'bff-consumer-service, one guest'
const IN_TURN = 'bff-consumer-service, guests in turn'
const UNKNOWN = 'bff-consumer-service, unknown guests'
const UNSEEN = 'bff-consumer-service, unknown guests, last seen an hour ago'
const FASTIFY = 'Fastify + session, limit and page in Redis'

const GUESTS = 24_000
const SHORT_GUESTS = 60
const ROUNDS = 5
const HOUR_MS = 3_600_000
/** A guest last seen more than a minute ago is updated: these never, however long the run is. */
const JUST_SEEN_MS = HOUR_MS

const goal = (what: string, variant: string): Goal => ({
  text: `CPU of a warm search, ${what}`,
  metric: 'cpuUs',
  variant,
  against: RAW,
  atMost: 3,
  columns: { us: variant },
})

const GOALS = [
  goal('24,000 guests in turn', IN_TURN),
  goal('guests unknown to the process', UNKNOWN),
  goal('unknown, last seen an hour ago', UNSEEN),
]

/** As row A, but with the guests of a day instead of one who reloads the page. */
export const rowA2: Row = {
  id: 'A2',
  title: 'A warm search by guests unknown to the process',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const start = () => startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
    const us = await start()
    // Two processes, since one caches a limited number of sessions.
    const other = world.short ? us : await start()
    const query = JSON.stringify(environment.query)
    await readPage(other, { path: SEARCH, query })
    const page = await readPage(us, { path: SEARCH, query })
    return [await guestPart({ world, page, query, us, other })]
  },
}

interface Scene {
  readonly world: BenchWorld
  readonly page: Page
  readonly query: string
  /** Serves every guest once. */
  readonly us: ConsumerServer
  /** Serves the same guests in turn. */
  readonly other: ConsumerServer
}

async function guestPart({ world, page, query: body, us, other }: Scene): Promise<Part> {
  const rounds = world.pick(ROUNDS, 1)
  const measured = world.pick(GUESTS, SHORT_GUESTS)
  // The warm-up has guests of its own.
  const count = (measured / rounds) * (rounds + 1)
  const [cookies = []] = await makeGuests(other, { count: measured, seenAfterMs: JUST_SEEN_MS })
  const [unknown = [], unseen = []] = await makeGuests(
    us,
    { count, seenAfterMs: JUST_SEEN_MS },
    { count, seenAfterMs: -HOUR_MS },
  )
  const once = (guests: readonly string[]) => () =>
    guestsOnce(world, { body, cookies: guests, rounds })
  const load = () => guestsInTurn(world, { body, cookies })
  const alone = () => guestsInTurn(world, { body, cookies: [other.cookie] })
  const start = (program: URL) => () => startWithSessions(world, program, { page, body, cookies })
  const on = guestVariant.bind(null, world)
  return {
    title: 'warm search by many guests',
    metrics: WARM_METRICS,
    variants: [
      on({ name: SESSION, role: 'limit', start: start(SESSION_SERVER), load }),
      on({ name: RAW, role: 'floor', start: () => startRaw(world, page), load }),
      on({ name: RELOADED, role: 'control', start: kept(other), load: alone }),
      on({ name: IN_TURN, role: 'us', start: kept(other), load }),
      on({ name: UNKNOWN, role: 'us', start: kept(us), load: once(unknown) }),
      on({ name: UNSEEN, role: 'us', start: kept(us), load: once(unseen) }),
      on({ name: FASTIFY, role: 'peer', start: start(FASTIFY_SERVER), load }),
    ],
    rounds,
    compare: 'cpuUs',
    goals: GOALS,
  }
}
