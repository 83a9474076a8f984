import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { type CachedBytes, createBatchLoader } from '@melmastoon/chassis/cache'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { pickLocalizedText, type TenantId } from '@melmastoon/domain'
import type { BrandPeekVM } from '../cards/listing-card.ts'
import type { ConsumerContext } from '../context.ts'
import { brandAddress, brandTags } from './define-brands.ts'

export interface Brands {
  /** Peeks as JSON; a tenant without a theme has none. */
  readonly bytesByTenant: ReadonlyMap<TenantId, Buffer>
  /** The same as text. */
  readonly byTenant: ReadonlyMap<TenantId, string>
  /** Another one for other peeks. */
  readonly version: string
  readonly status: 'fresh' | 'stale' | 'missing'
  /** Of the oldest one. */
  readonly ageMs: number
}

/** As many as one call takes. */
const PEEKS_MAX = 100

/** Undefined unless this process has all of them ready. */
export function peekBrands(
  ctx: Pick<ConsumerContext, 'brands'>,
  tenantIds: readonly TenantId[],
): Brands | undefined {
  const entries: [TenantId, CachedBytes][] = []
  for (const tenantId of new Set(tenantIds)) {
    const entry = peekBrand(ctx, tenantId)
    if (entry === undefined) return undefined
    entries.push([tenantId, entry])
  }
  return summarize(entries)
}

/** Mostly from this process; whatever is not known comes in as few calls as there can be. */
export async function readBrands(
  ctx: ConsumerContext,
  tenantIds: readonly TenantId[],
  call: UpstreamCall,
): Promise<Brands> {
  const wanted = [...new Set(tenantIds)]
  const warm = wanted.map((tenantId) => peekBrand(ctx, tenantId))
  const cold = wanted.filter((_, at) => warm[at] === undefined)
  const load = loadTogether(ctx, cold, call.trace)
  const read = (tenantId: TenantId) =>
    ctx.brands.get({
      ...brandAddress(tenantId),
      deadline: call.deadline,
      load: (_signal, deadline) => load(tenantId, deadline),
    })
  const settled = await Promise.allSettled(cold.map(read))
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) ctx.reportSection('brands', failed.reason)
  const fetched = new Map(cold.map((tenantId, at) => [tenantId, valueOf(settled[at])]))
  return summarize(wanted.map((id, at) => [id, warm[at] ?? fetched.get(id)]))
}

function peekBrand({ brands }: Pick<ConsumerContext, 'brands'>, tenantId: TenantId) {
  const { dims, tags } = brandAddress(tenantId)
  return brands.peek(dims, tags)
}

function valueOf<T>(result: PromiseSettledResult<T> | undefined): T | undefined {
  return result?.status === 'fulfilled' ? result.value : undefined
}

/** However many entries are missing, the theme service is called once per hundred of them. */
function loadTogether(ctx: ConsumerContext, tenantIds: TenantId[], trace: TraceContext) {
  return createBatchLoader({
    cache: ctx.brandBatches,
    ids: tenantIds,
    maxPerCall: PEEKS_MAX,
    tagsOf: brandTags,
    load: async (ids, deadline) => {
      const request = { body: { tenantIds: [...ids] } }
      const { peeks } = await ctx.upstreams.theme.peekBrands(request, { deadline, trace })
      return new Map(peeks.map((peek) => [peek.tenantId, writePeek(peek)]))
    },
  })
}

function writePeek({ primaryColor, logoUrl, brandName }: BrandPeekVM): string {
  const peek: BrandPeekVM = { primaryColor, logoUrl, brandName: pickLocalizedText(brandName) }
  return JSON.stringify(peek)
}

function summarize(entries: readonly [TenantId, CachedBytes | undefined][]): Brands {
  const bytesByTenant = new Map<TenantId, Buffer>()
  const etags: string[] = []
  let texts: ReadonlyMap<TenantId, string> | undefined
  let status: Brands['status'] = 'fresh'
  let ageMs = 0
  for (const [tenantId, entry] of entries) {
    if (entry === undefined) {
      status = 'missing'
      continue
    }
    if (entry.state === 'stale' && status === 'fresh') status = 'stale'
    ageMs = Math.max(ageMs, entry.ageMs)
    if (entry.status !== 200) continue
    bytesByTenant.set(tenantId, entry.body)
    etags.push(entry.etag)
  }
  return {
    bytesByTenant,
    get byTenant() {
      texts ??= new Map([...bytesByTenant].map(([id, bytes]) => [id, bytes.toString()]))
      return texts
    },
    get version() {
      return etags.join(' ')
    },
    status,
    ageMs,
  }
}
