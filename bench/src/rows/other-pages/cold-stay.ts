import { addDays, parseIsoDate } from '@melmastoon/domain'
import { sendOne } from '../../harness/http-load.ts'
import type { BenchWorld, Part, Role, Variant } from '../../harness/row.ts'
import { startWorker } from '../../harness/worker.ts'
import type { Query } from '../search/queries.ts'
import { VISITOR } from '../search/queries.ts'
import type { ConsumerServer, SearchEnvironment } from '../search/search-environment.ts'
import { loadPage, type PageServer } from '../warm-page/page-variant.ts'
import { findLoad, US, WARM_METRICS, writeScript } from '../warm-page/warm-variants.ts'
import { type Hotel, hotelPath } from './page-requests.ts'

const BARE = 'the two calls, responses parsed'
const DAYS = 300
const NIGHTS_MAX = 20
const ADULTS_MAX = 20
const CONNECTIONS = 4

interface Scene {
  readonly us: ConsumerServer
  readonly hotel: Hotel
}

/** The hotel is cached, its prices are not: enough stays that none is repeated. */
export async function coldStayPart(
  world: BenchWorld,
  environment: SearchEnvironment,
  { us, hotel }: Scene,
): Promise<Part> {
  const similar = await similarTo(us, hotel, environment.query)
  const bare = () => startBare(environment, { propertyId: hotel.propertyId, similar })
  const ours = async () => ({ ...us, [Symbol.asyncDispose]: async () => undefined })
  const cold = coldVariant.bind(null, world, hotelPath(hotel, environment.query), environment.query)
  return {
    title: 'hotel at another time',
    metrics: WARM_METRICS,
    variants: [
      cold({ name: BARE, role: 'floor', start: bare }),
      cold({ name: US, role: 'us', start: ours }),
    ],
    rounds: world.pick(5, 1),
    compare: 'cpuUs',
  }
}

/** The similar hotels on the page, priced in the same call. */
async function similarTo(us: ConsumerServer, hotel: Hotel, query: Query): Promise<string[]> {
  const url = new URL(hotelPath(hotel, query), us.url).href
  const { body } = await sendOne({ url, headers: VISITOR })
  const page = JSON.parse(body.toString()) as { similarProperties?: Hotel[] }
  return (page.similarProperties ?? []).map(({ propertyId }) => propertyId)
}

export interface Cold {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
}

/** Every request is for another stay; the path names the first one. */
export function coldVariant(
  world: BenchWorld,
  path: string,
  ...[query, { name, role, start }]: [Query, Cold]
): Variant {
  return {
    name,
    role,
    async setup() {
      const server = await start()
      const script = writeScript(world, `stay-${server.pid}.lua`, stayScript(path, query))
      const vary = (turn: number) => ({
        url: new URL(withStay(path, query, turn), server.url).href,
      })
      const expect = { status: 200 }
      const wrk = await findLoad(world)
      const load = { world, wrk, server, path, script, vary, expect, connections: CONNECTIONS }
      return loadPage({ ...load, headers: {} })
    },
  }
}

function withStay(path: string, { dates }: Query, turn: number): string {
  const checkIn = addDays(parseIsoDate(dates.checkIn), 1 + (turn % DAYS))
  const checkOut = addDays(checkIn, 1)
  const [base = ''] = path.split('&checkIn=')
  return `${base}&checkIn=${checkIn}&checkOut=${checkOut}&adults=1`
}

/** Starts at the current time, so that no round repeats the stays of an earlier one. */
function stayScript(path: string, { dates }: Query): string {
  const first = addDays(parseIsoDate(dates.checkIn), 1)
  const days = Array.from({ length: DAYS + NIGHTS_MAX }, (_, day) => addDays(first, day))
  const [base = ''] = path.split('&checkIn=')
  return `
local base, days = '${base}', {${days.map((day) => `'${day}'`).join(', ')}}
local turn = os.time() % 4000 * 29
request = function()
  turn = turn + 1
  local from = turn % ${DAYS} + 1
  local nights = math.floor(turn / ${DAYS}) % ${NIGHTS_MAX} + 1
  local adults = math.floor(turn / ${DAYS * NIGHTS_MAX}) % ${ADULTS_MAX} + 1
  local stay = '&checkIn=' .. days[from] .. '&checkOut=' .. days[from + nights]
  return wrk.format('GET', base .. stay .. '&adults=' .. adults)
end
`
}

async function startBare(
  { upstreams, secret }: SearchEnvironment,
  request: { readonly propertyId: string; readonly similar: readonly string[] },
): Promise<PageServer> {
  const worker = startWorker(new URL('./bare-hotel.ts', import.meta.url))
  const port = await worker.run('start', { upstreams, secret, ...request })
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
