import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { Upstream } from '@melmastoon/chassis/upstream'
import { Type } from 'typebox'

const Item = Type.Object({ id: Type.String(), name: Type.String(), amountMinor: Type.Integer() })
export const Catalogue = Type.Object({ items: Type.Array(Item) })
const READ = {
  operation: 'example.catalogue.read',
  method: 'GET',
  path: '/catalogue',
  schema: Catalogue,
} as const
export const PAGE_TAGS = ['example-catalogue'] as const

type PageDims = { locale: string; currency: string }
type PageDeps = { pages: DefinedCache<keyof PageDims>; upstream: Upstream }

/** Fresh for a minute, then served while it is refreshed; ten minutes if the upstream fails. */
export function definePages(cache: Cache, softTtlMs = 60_000) {
  const stale = { staleWhileRevalidateMs: 30_000, staleIfErrorMs: 600_000 }
  const dimensions = ['locale', 'currency'] as const
  return cache.define({ name: 'page', dimensions, softTtlMs, loadTimeoutMs: 2_000, ...stale })
}

/** A page that is fresh in this process is returned without a promise. */
export function readPage({ pages, upstream }: PageDeps, dims: PageDims, deadline: Deadline) {
  // The load has its own deadline: it outlives the request that started it (D10).
  const load = async (_signal: AbortSignal, loadDeadline: Deadline) => {
    const { value } = await upstream.call({ ...READ, query: dims, deadline: loadDeadline })
    return { body: JSON.stringify({ ...dims, items: value.items }) }
  }
  return pages.peek(dims, PAGE_TAGS) ?? pages.get({ dims, tags: PAGE_TAGS, deadline, load })
}
