import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { ExampleContext } from '../context.ts'
import { readCatalogue } from '../upstream/read-catalogue.ts'

export interface ReadPage {
  locale: string
  currency: string
}

export const PAGE_TAGS = ['example-catalogue'] as const

/** The page as bytes, if this process has them fresh. */
export function peekPage(ctx: ExampleContext, dims: ReadPage): CachedBytes | undefined {
  return ctx.pages.peek({ ...dims }, PAGE_TAGS)
}

export function readPage(
  ctx: ExampleContext,
  dims: ReadPage,
  deadline: Deadline,
): Promise<CachedBytes> {
  return ctx.pages.get({
    dims: { ...dims },
    tags: PAGE_TAGS,
    deadline,
    // The load has a deadline of its own: it outlives the request that happened to start it (D10).
    load: async (_signal, loadDeadline) => {
      const catalogue = await readCatalogue(ctx.upstream, { ...dims, deadline: loadDeadline })
      return { body: JSON.stringify({ ...dims, items: catalogue.items }) }
    },
  })
}
