import { asBrokenContract, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { ConsumerContext } from '../context.ts'
import { readWithAge } from '../derived-responses/read-derived.ts'
import { EVERY_PAGE } from '../places/place-tags.ts'
import type { Preferences } from '../sessions/choose-preferences.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { catalogOf } from './catalog-of.ts'
import { FACETS_FRESH_MS } from './define-facets.ts'

const AGING = { section: 'facets', freshMs: FACETS_FRESH_MS }

export async function readFacets(
  ctx: ConsumerContext,
  { locale, currency }: Preferences,
  { deadline, trace }: UpstreamCall,
): Promise<{ readonly bytes: CachedBytes; readonly origin: CachedBytes }> {
  const origin = await ctx.facets
    .get({
      dims: { locale, currency },
      tags: [EVERY_PAGE],
      deadline,
      load: async (_signal, loadDeadline) => {
        const call = { deadline: loadDeadline, trace, locale, currency }
        const answer = await ctx.upstreams.search.facets({}, call).catch(asBrokenContract)
        return { body: JSON.stringify(catalogOf(answer, locale)) }
      },
    })
    .catch(asBudgetExceeded)
  return { bytes: await readWithAge(ctx, origin, AGING), origin }
}
