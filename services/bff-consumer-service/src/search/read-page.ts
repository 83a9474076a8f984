import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { ConsumerContext } from '../context.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { type Aging, ageText, agingOf } from './aged-form.ts'
import { composePage } from './compose-page.ts'
import { factsOf, type PageFacts } from './page-facts.ts'
import type { PageRequest } from './search-query.ts'

export interface ServedPage {
  /** What is sent. */
  readonly bytes: CachedBytes
  /** The kept page it is, or derives from: it has the age and the state. */
  readonly origin: CachedBytes
  readonly facts: PageFacts
}

export interface ReadPage {
  readonly deadline: Deadline
  readonly trace: TraceContext
}

/** The page, if this process has it ready. */
export function peekPage(ctx: ConsumerContext, page: PageRequest): ServedPage | undefined {
  const origin = ctx.pages.peek(page.dims, page.tags)
  if (origin === undefined) return undefined
  const facts = factsOf(origin)
  const aging = agingOf(origin, facts, ctx.clock.nowMs())
  if (aging === null) return { bytes: origin, origin, facts }
  const bytes = ctx.agedPages.peek({ etag: origin.etag, ...aging })
  return bytes && { bytes, origin, facts }
}

export async function readPage(
  ctx: ConsumerContext,
  page: PageRequest,
  { deadline, trace }: ReadPage,
): Promise<ServedPage> {
  const origin = await ctx.pages
    .get({
      dims: page.dims,
      tags: page.tags,
      deadline,
      // With a deadline of its own: it outlives the request that happened to start it (D10).
      load: (_signal, loadDeadline) => composePage(ctx, page, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
  const facts = factsOf(origin)
  const aging = agingOf(origin, facts, ctx.clock.nowMs())
  const bytes = aging === null ? origin : await agedForm(ctx, origin, aging)
  return { bytes, origin, facts }
}

function agedForm(ctx: ConsumerContext, page: CachedBytes, aging: Aging): Promise<CachedBytes> {
  return ctx.agedPages.get({
    dims: { etag: page.etag, ...aging },
    load: async () => ({ body: ageText(page.body.toString(), aging) }),
  })
}
