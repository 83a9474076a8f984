import { sendOne } from '../../harness/http-load.ts'
import { kept, startPageServer } from '../../harness/page-server.ts'
import type { BenchWorld, Part } from '../../harness/row.ts'
import type { Query } from '../search/queries.ts'
import { VISITOR } from '../search/queries.ts'
import type { ConsumerServer, SearchEnvironment } from '../search/search-environment.ts'
import { variedStays } from '../search/varied-stays.ts'
import { coldVariant } from '../warm-page/cold-variant.ts'
import { US, WARM_METRICS } from '../warm-page/warm-variants.ts'
import { type Hotel, hotelPath } from './page-requests.ts'

const BARE = 'the two calls, responses parsed'

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
  const { upstreams, secret } = environment
  const given = { upstreams, secret, propertyId: hotel.propertyId, similar }
  const program = new URL('./bare-hotel.ts', import.meta.url)
  const bare = () => startPageServer(world, program, given)
  const paths = variedStays(hotelPath(hotel, environment.query), environment.query)
  const cold = coldVariant.bind(null, world, paths)
  return {
    title: 'hotel at another time',
    metrics: WARM_METRICS,
    variants: [
      cold({ name: BARE, role: 'floor', start: bare }),
      cold({ name: US, role: 'us', start: kept(us) }),
    ],
    rounds: world.pick(3, 1),
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
