import { kept } from '../../harness/page-server.ts'
import type { BenchWorld, Part, Variant } from '../../harness/row.ts'
import { SEARCH, type SearchEnvironment, startConsumer } from '../search/search-environment.ts'
import { guestsInTurn } from '../unknown-guests/guest-load.ts'
import { guestVariant, makeGuests } from '../unknown-guests/guest-variants.ts'
import { readPage } from '../warm-page/read-page.ts'
import { PAGE_FRESH_MS, WARM_METRICS } from '../warm-page/warm-variants.ts'

const SESSIONS = [1_000, 20_000, 200_000]
const SHORT_DIVISOR = 1_000
const HOUR_MS = 3_600_000

/** A warm search by stored guests in turn; each process has sessions of its own. */
export async function sessionPart(
  world: BenchWorld,
  environment: SearchEnvironment,
): Promise<Part> {
  const body = JSON.stringify(environment.query)
  const variants: Variant[] = []
  for (const sessions of SESSIONS) {
    const us = await startConsumer(world, environment, { pageFreshMs: PAGE_FRESH_MS })
    await readPage(us, { path: SEARCH, query: body })
    const count = sessions / world.pick(1, SHORT_DIVISOR)
    const [cookies = []] = await makeGuests(us, { count, seenAfterMs: HOUR_MS })
    variants.push(
      guestVariant(world, {
        name: `${sessions.toLocaleString('en-US')} sessions`,
        role: variants.length === 0 ? 'floor' : 'us',
        start: kept(us),
        load: () => guestsInTurn(world, { body, cookies }),
      }),
    )
  }
  return {
    title: 'warm search by stored sessions in turn',
    metrics: WARM_METRICS,
    variants,
    rounds: world.pick(3, 1),
    compare: 'cpuUs',
  }
}
