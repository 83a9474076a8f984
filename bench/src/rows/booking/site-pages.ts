import type { PageServer } from '../../harness/page-server.ts'
import type { BenchWorld, Role, Running, Sample, Variant } from '../../harness/row.ts'
import { warmScript } from '../search/queries.ts'
import { loadPage } from '../warm-page/page-variant.ts'
import type { Page, PageRequest } from '../warm-page/read-page.ts'
import { findLoad, writeScript } from '../warm-page/warm-variants.ts'

export interface SitePage {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
  readonly request: PageRequest
  readonly cookie: string
  /** Sent with every request, for example `accept-encoding`. */
  readonly headers?: Readonly<Record<string, string>>
}

export function pageVariant(world: BenchWorld, page: SitePage): Variant {
  return { name: page.name, role: page.role, setup: () => loadSitePage(world, page) }
}

async function loadSitePage(world: BenchWorld, page: SitePage): Promise<Running> {
  const { start, request, cookie, headers = {} } = page
  const { path, query } = request
  const server = await start()
  const load = { world, wrk: await findLoad(world), server, path, expect: { status: 200 } }
  const sent = { ...load, headers: { cookie, ...headers } }
  if (query === undefined) return loadPage(sent)
  const script = writeScript(world, `site-${server.pid}.lua`, warmScript(query))
  return loadPage({ ...sent, bodies: [query], script })
}

/** Both in turn: the sample is the ratio of the second to the first, and its values. */
export function ratioVariant(
  world: BenchWorld,
  { name, role }: Pick<SitePage, 'name' | 'role'>,
  [floor, us]: readonly [SitePage, SitePage],
): Variant {
  return {
    name,
    role,
    async setup() {
      const pair = await Promise.all([loadSitePage(world, floor), loadSitePage(world, us)])
      return {
        async measure(): Promise<Sample> {
          const [raw, own] = [await pair[0].measure(), await pair[1].measure()]
          const rawUs = raw['cpuUs'] ?? Number.NaN
          const times = (own['cpuUs'] ?? Number.NaN) / rawUs
          return { ...own, rawUs, times }
        },
        async [Symbol.asyncDispose]() {
          await Promise.all(pair.map((each) => each[Symbol.asyncDispose]()))
        },
      }
    },
  }
}

/** Ready bytes with the headers that our response has, but those of the guest. */
export function shareable({ headers, ...page }: Page): Page {
  const { 'set-cookie': _cookie, ...rest } = headers
  return { ...page, headers: rest }
}
