import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { type DerivedDeps, peekDerived, readDerived } from '../derived-responses/read-derived.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { type ComposeDeps, composePage } from './compose-page.ts'
import type { PageRequest } from './search-query.ts'
import { agingOf, factsOf, type PageCache, type ServedPage } from './served-page.ts'

export type SearchDeps = ComposeDeps & DerivedDeps & { readonly pages: PageCache }

/** The page, if this process has it in memory. */
export function peekPage(deps: SearchDeps, page: PageRequest): ServedPage | undefined {
  const origin = deps.pages.peek(page.dims, page.tags)
  if (origin === undefined) return undefined
  const facts = factsOf(origin)
  const aging = agingOf(origin, facts, deps.clock.nowMs())
  if (aging === null) return { bytes: origin, origin, facts }
  const bytes = peekDerived(deps, origin, aging)
  return bytes && { bytes, origin, facts }
}

export async function readPage(
  deps: SearchDeps,
  page: PageRequest,
  { deadline, trace }: UpstreamCall,
): Promise<ServedPage> {
  const origin = await deps.pages
    .get({
      dims: page.dims,
      tags: page.tags,
      deadline,
      // With a deadline of its own: the load outlives the request that started it (D10).
      load: (_signal, loadDeadline) => composePage(deps, page, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
  const facts = factsOf(origin)
  const aging = agingOf(origin, facts, deps.clock.nowMs())
  const bytes = aging === null ? origin : await readDerived(deps, origin, aging)
  return { bytes, origin, facts }
}
