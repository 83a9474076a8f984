import { CPU_METRICS } from '../../harness/cpu-per-piece.ts'
import { kept, type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Goal, Role, Row, Variant } from '../../harness/row.ts'
import { findHotels } from '../other-pages/page-requests.ts'
import type { Query } from '../search/queries.ts'
import { openSession, startConsumer, startSearchEnvironment } from '../search/search-environment.ts'
import { loadPage } from '../warm-page/page-variant.ts'
import { findLoad, writeScript } from '../warm-page/warm-variants.ts'
import { keyOf, mintBody, mintScript } from './mint-load.ts'

const BARE = 'one HMAC, one insert'
const US = 'bff-consumer-service'
const NOW = 'the mint alone: one statement'
const BEFORE = 'the mint alone, before: Redis, claim, transaction'
const JOSE = 'Fastify + jose JWT + one insert'
const GUESTS = 64
const CONNECTIONS = 8

const METRICS = [
  ...CPU_METRICS,
  { key: 'perSecond', label: 'mints/s', digits: 0 },
  { key: 'perCore', label: 'mints/s/core', digits: 0 },
  { key: 'p50Ms', label: 'p50 ms', digits: 2 },
  { key: 'p99Ms', label: 'p99 ms', digits: 2 },
  { key: 'mib', label: 'RSS MiB', digits: 0 },
]

const GOALS: readonly Goal[] = [
  { text: 'process CPU of a mint', metric: 'ownUs', variant: US, against: BARE, atMost: 3 },
  {
    text: 'CPU of a mint with servers',
    metric: 'cpuUs',
    variant: US,
    against: BARE,
    atMost: 3.5,
  },
]

/**
 * Ours looks up session, tenant, hotel and the current price of the stay, bounds and counts the
 * guest, signs, and writes the claim, the row, the event and the response that is replayed in one
 * statement. All guests hand off the same stay, so its price is read from the cache and about once
 * a minute from the pricing service; the floor and the peer look nothing up. The forms before and
 * after are also measured without everything else.
 */
export const rowM: Row = {
  id: 'M',
  title: 'Minting a handoff: sign it, write it down, durable Postgres',
  async parts(world) {
    const environment = await startSearchEnvironment(world)
    const { query } = environment
    const us = await startConsumer(world, environment, { pageFreshMs: 60_000 })
    const [hotel] = await findHotels(us, query)
    const cookies = await Promise.all(Array.from({ length: GUESTS }, () => openSession(us.url)))
    const path = `/bff/consumer/v1/handoff/${hotel?.tenantId ?? ''}/${hotel?.propertyId ?? ''}`
    const start = (program: URL, more: object = {}) => startMint(world, program, more)
    const bare = start(new URL('./bare-mint.ts', import.meta.url))
    const jose = start(peerProgram('jose-mint.mjs'))
    const redisUrl = await world.redisUrl('cache')
    const forms = new URL('./mint-forms.ts', import.meta.url)
    const form = (name: string) => start(forms, { redisUrl, form: name })
    const alone = { path: '/handoff', cookies: ['none=1'] }
    const mints = (mint: Mint) => mintVariant(world, query, mint)
    return [
      {
        title: 'handoff',
        metrics: METRICS,
        variants: [
          mints({ name: BARE, role: 'floor', start: bare, path: '/', cookies: ['none=1'] }),
          mints({ name: US, role: 'us', start: kept(us), path, cookies }),
          mints({ name: NOW, role: 'us', start: form('one-statement'), ...alone }),
          mints({ name: BEFORE, role: 'control', start: form('claim-transaction'), ...alone }),
          mints({ name: JOSE, role: 'peer', start: jose, path: '/handoff', cookies: ['none=1'] }),
        ],
        rounds: world.pick(5, 1),
        compare: 'cpuUs',
        goals: GOALS,
      },
    ]
  },
}

interface Mint {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
  readonly path: string
  readonly cookies: readonly string[]
}

function mintVariant(world: BenchWorld, query: Query, mint: Mint): Variant {
  const { name, role, start, path, cookies } = mint
  const body = mintBody(query)
  return {
    name,
    role,
    async setup() {
      const server = await start()
      const script = writeScript(world, `mint-${server.pid}.lua`, mintScript(body, cookies))
      const vary = (turn: number) => ({
        headers: {
          'idempotency-key': keyOf(turn),
          cookie: cookies[turn % cookies.length] ?? '',
        },
      })
      const expect = { status: 201 }
      const wrk = await findLoad(world)
      const load = { world, wrk, server, path, headers: {}, expect, script, vary }
      return loadPage({ ...load, bodies: [body], connections: CONNECTIONS })
    },
  }
}

function startMint(world: BenchWorld, program: URL, more: object) {
  return async () => startPageServer(world, program, { url: await world.emptyDatabase(), ...more })
}
