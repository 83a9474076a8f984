import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import type { Goal, Part, Row, Variant } from '../../harness/row.ts'
import { rotatingScript } from '../search/queries.ts'
import {
  SEARCH,
  type SearchEnvironment,
  startConsumer,
  startSearchEnvironment,
} from '../search/search-environment.ts'
import { loadPage } from './page-variant.ts'
import { BROWSER, readPage } from './read-page.ts'
import {
  BR,
  findLoad,
  PAGE_FRESH_MS,
  PEER_GOALS,
  packed,
  readyGoals,
  type Scene,
  US,
  WARM_METRICS,
  warmVariants,
  writeScript,
} from './warm-variants.ts'

const L2 = `${US}, L2 hit${BR}`

const L2_GOAL: Goal = {
  text: 'CPU of an L2 hit against an L1 hit',
  metric: 'cpuUs',
  variant: L2,
  against: US + BR,
  atMost: 2,
  columns: { ...packed, us: L2 },
}

export const rowA: Row = {
  id: 'A',
  title: 'A warm search with session, limits and metrics',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const us = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
    const request = { path: SEARCH, query: JSON.stringify(environment.query) }
    const page = await readPage(us, request)
    const wrk = await findLoad(world)
    const scene: Scene = { world, wrk, page, us, request }
    const part: Part = {
      title: 'warm search',
      metrics: WARM_METRICS,
      variants: [
        ...warmVariants(scene, { all: true }),
        fastifyVariant(scene, environment),
        l2Variant(scene, environment),
      ],
      rounds: world.pick(5, 1),
      compare: 'cpuUs',
      goals: [...readyGoals('a warm search', [1.35, 1.45]), ...PEER_GOALS, L2_GOAL],
    }
    return [part]
  },
}

/** Cyclic keys, more than connections, so that no request shares another's read. */
function everyView(query: string): string[] {
  return LOCALES.flatMap((locale) =>
    CURRENCY_CODES.map((currency) => JSON.stringify({ ...JSON.parse(query), locale, currency })),
  )
}

/** The same service without its fast path. */
function fastifyVariant({ world, wrk, request }: Scene, environment: SearchEnvironment): Variant {
  return {
    name: `${US}, through Fastify`,
    role: 'control',
    async setup() {
      const bodies = [request.query ?? '']
      const settings = { pageFreshMs: PAGE_FRESH_MS, fastPath: false }
      const server = await startConsumer(world, environment, settings)
      const script = writeScript(world, 'through-fastify.lua', rotatingScript(bodies))
      const headers = { cookie: server.cookie }
      const expect = { status: 200, xCache: 'HIT' }
      return loadPage({ world, wrk, server, path: SEARCH, headers, expect, bodies, script })
    },
  }
}

function l2Variant({ world, wrk, request }: Scene, environment: SearchEnvironment): Variant {
  return {
    name: L2,
    role: 'us',
    async setup() {
      const bodies = everyView(request.query ?? '')
      const script = writeScript(world, 'rotate.lua', rotatingScript(bodies))
      const settings = { pageFreshMs: PAGE_FRESH_MS, l1MaxBytes: 1 }
      const server = await startConsumer(world, environment, settings)
      const headers = { cookie: server.cookie, ...BROWSER }
      const expect = { status: 200, xCache: 'HIT' }
      const load = { path: SEARCH, headers, expect, bodies, script, connections: 16 }
      return loadPage({ world, wrk, server, ...load })
    },
  }
}
