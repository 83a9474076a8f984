import { addDays, parseIsoDate, todayIn } from '@melmastoon/domain'
import { kept, type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Goal, Part, Row } from '../../harness/row.ts'
import {
  SEARCH,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { variedStays } from '../search/varied-stays.ts'
import { coldVariant } from '../warm-page/cold-variant.ts'
import { BROWSER, type Page, readPage, startPeer, startRaw } from '../warm-page/read-page.ts'
import { PAGE_FRESH_MS, WARM_METRICS } from '../warm-page/warm-variants.ts'
import {
  type BookedHotel,
  findHotel,
  openBookingSessions,
  SITE,
  startBooking,
} from './booking-environment.ts'
import { pageVariant, ratioVariant, type SitePage, shareable } from './site-pages.ts'

const RAW = 'node:http, ready bytes'
const US = 'bff-tenant-booking-service'
const FASTIFY = 'Fastify + Redis GET + parse + stringify'
const NEST = 'NestJS (Express) + cache-manager on Redis'
const BARE = 'the two calls, responses parsed'
const BY_HAND = 'Fastify + undici, written by hand'
const BOOTSTRAP = 'warm bootstrap'
const WARM_SEARCH = 'warm search of bff-consumer-service'

const RATIO_METRICS = [
  { key: 'times', label: '× node:http', digits: 2 },
  { key: 'cpuUs', label: 'CPU µs', digits: 1 },
  { key: 'rawUs', label: 'node:http µs', digits: 1 },
  { key: 'bytes', label: 'bytes', digits: 0 },
]

/** `times` is a ratio already: that of the bootstrap may not exceed that of the search. */
const RATIO_GOAL: Goal = {
  text: 'CPU of a warm bootstrap: its ratio against that of a warm search',
  metric: 'times',
  variant: BOOTSTRAP,
  against: WARM_SEARCH,
  atMost: 1,
  columns: { floor: WARM_SEARCH, us: BOOTSTRAP },
}

/** Pages of a hotel's booking site, with site, session, limits and metrics, from the sandbox. */
export const rowT: Row = {
  id: 'T',
  title: 'The booking site of a hotel: bootstrap, and availability cached and not',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const upstreams = { url: environment.sandbox.url, secret: environment.secret }
    const server = await startBooking(world, upstreams)
    const [cookie = ''] = await openBookingSessions(server.url, 1)
    const hotel = await findHotel(environment)
    const bootstrap = shareable(await readPage({ ...server, cookie }, bootstrapRequest))
    const scene: Scene = { world, environment, server, cookie, hotel, bootstrap }
    return [
      bootstrapPart(scene),
      await ratioPart(scene),
      await warmAvailabilityPart(scene),
      coldAvailabilityPart(scene),
    ]
  },
}

const readyGoal = (what: string): Goal => ({
  text: `CPU of a ${what}`,
  metric: 'cpuUs',
  variant: US,
  against: RAW,
  atMost: 1.35,
})

interface Scene {
  readonly world: BenchWorld
  readonly environment: SearchEnvironment
  readonly server: PageServer
  readonly cookie: string
  readonly hotel: BookedHotel
  readonly bootstrap: Page
}

const bootstrapRequest = { path: `${SITE}/bootstrap` }

function bootstrapPart(scene: Scene): Part {
  const { world, server, cookie, bootstrap } = scene
  const body = bootstrap.body.toString()
  const on = (rest: Pick<SitePage, 'name' | 'role' | 'start'>) =>
    pageVariant(world, { ...rest, request: bootstrapRequest, cookie })
  const peer = (file: string) => () => startPeer(world, file, { ...bootstrapRequest, body })
  return {
    title: BOOTSTRAP,
    metrics: WARM_METRICS,
    variants: [
      on({ name: RAW, role: 'floor', start: () => startRaw(world, bootstrap) }),
      on({ name: US, role: 'us', start: kept(server) }),
      on({ name: FASTIFY, role: 'peer', start: peer('fastify-page.mjs') }),
      on({ name: NEST, role: 'peer', start: peer('nest-page.mjs') }),
    ],
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
    goals: [readyGoal(BOOTSTRAP)],
  }
}

async function ratioPart(scene: Scene): Promise<Part> {
  const { world, environment, server, cookie, bootstrap } = scene
  const consumer = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
  const search = { path: SEARCH, query: JSON.stringify(environment.query) }
  const found = shareable(await readPage(consumer, search))
  const site = { request: bootstrapRequest, cookie }
  const traveller = { request: search, cookie: consumer.cookie }
  const raw = { name: RAW, role: 'floor' } as const
  const us = { name: US, role: 'us' } as const
  return {
    title: 'bootstrap next to search',
    metrics: RATIO_METRICS,
    variants: [
      ratioVariant(world, { name: WARM_SEARCH, role: 'floor' }, [
        { ...raw, ...traveller, start: () => startRaw(world, found) },
        { ...us, ...traveller, start: kept(consumer) },
      ]),
      ratioVariant(world, { name: BOOTSTRAP, role: 'us' }, [
        { ...raw, ...site, start: () => startRaw(world, bootstrap) },
        { ...us, ...site, start: kept(server) },
      ]),
    ],
    rounds: world.pick(3, 1),
    compare: 'times',
    goals: [RATIO_GOAL],
  }
}

function availabilityPath({ propertyId }: BookedHotel): string {
  const checkIn = addDays(parseIsoDate(todayIn('UTC', new Date())), 14)
  const stay = `checkIn=${checkIn}&checkOut=${addDays(checkIn, 2)}&adults=2`
  return `${SITE}/availability?propertyId=${propertyId}&${stay}`
}

async function warmAvailabilityPart({ world, server, cookie, hotel }: Scene): Promise<Part> {
  const request = { path: availabilityPath(hotel) }
  const page = shareable(await readPage({ ...server, cookie }, request))
  const on = (rest: Omit<SitePage, 'request' | 'cookie'>) =>
    pageVariant(world, { ...rest, request, cookie })
  const us = { role: 'us', start: kept(server) } as const
  const stored = { ...request, body: page.body.toString() }
  const fastify = () => startPeer(world, 'fastify-page.mjs', stored)
  return {
    title: 'warm availability',
    metrics: WARM_METRICS,
    variants: [
      on({ name: RAW, role: 'floor', start: () => startRaw(world, page) }),
      on({ ...us, name: US }),
      on({ ...us, name: `${US}, brotli`, headers: BROWSER }),
      on({ name: FASTIFY, role: 'peer', start: fastify }),
    ],
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
    goals: [readyGoal('warm availability')],
  }
}

/** The hotel is cached, its rooms and prices are not: enough stays that none is repeated. */
function coldAvailabilityPart({ world, environment, server, hotel }: Scene): Part {
  const { url } = environment.sandbox
  const path = `${SITE}/availability`
  const given = { url, secret: environment.secret, ...hotel, path }
  const bare = new URL('./bare-availability.ts', import.meta.url)
  const start = (program: URL) => () => startPageServer(world, program, given)
  const paths = variedStays(availabilityPath(hotel), environment.query)
  const cold = coldVariant.bind(null, world, paths)
  return {
    title: 'availability of another stay',
    metrics: WARM_METRICS,
    variants: [
      cold({ name: BARE, role: 'floor', start: start(bare) }),
      cold({ name: US, role: 'us', start: kept(server) }),
      cold({ name: BY_HAND, role: 'peer', start: start(peerProgram('fastify-availability.mjs')) }),
    ],
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
  }
}
