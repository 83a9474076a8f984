import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type BatchCache,
  type Cache,
  type CachedBytes,
  createBatchLoader,
  type DefinedCache,
  defineBatches,
  memoizeAddresses,
} from '@melmastoon/chassis/cache'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { pickLocalizedText, type TenantId } from '@melmastoon/domain'
import { UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'
import type { BrandPeekVM } from './brand-peek.ts'
import type { BrandSetDeps, BrandSets, Brands } from './brand-sets.ts'

export interface BrandDeps extends BrandSetDeps {
  readonly brands: BrandCache
  readonly brandSets: BrandSets
  readonly brandBatches: BatchCache
  readonly upstreams: Pick<Upstreams, 'theme'>
  readonly reportSection: ReportSection
}

/** The maximum of one upstream call. */
const PEEKS_MAX = 100
const FRESH_MS = 15 * 60_000
/** A larger set, such as a map of a country, is unlikely to be shown again. */
const SET_TENANTS_MAX = 100
/** Longer than any expected outage of the theme service. */
const STALE_IF_ERROR_MS = 24 * 3_600_000

export type BrandCache = DefinedCache<'tenantId'>

/** One entry per tenant: its brand peek as JSON, inserted into cards as it is (C11). */
export function defineBrands(cache: Cache): BrandCache {
  return cache.define({
    name: 'brand',
    dimensions: ['tenantId'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 5 * 60_000,
    staleIfErrorMs: STALE_IF_ERROR_MS,
    negativeTtlMs: 60_000,
    loadTimeoutMs: UPSTREAM_MS.theme,
  })
}

/** Responses of the theme service to requests for many tenants at once. */
export function defineBrandBatches(cache: Cache): BatchCache {
  return defineBatches(cache, { name: 'brand-batch', loadTimeoutMs: UPSTREAM_MS.theme })
}

export function brandTags(tenantId: TenantId): readonly string[] {
  return [`brand:${tenantId}`]
}

const brandAddress = memoizeAddresses('tenantId', brandTags)

/** Undefined unless this process has all of them in memory. */
export function peekBrands(
  deps: Pick<BrandDeps, 'brands' | 'clock'>,
  tenantIds: readonly TenantId[],
): Brands | undefined {
  const entries: [TenantId, CachedBytes][] = []
  for (const tenantId of new Set(tenantIds)) {
    const entry = peekBrand(deps, tenantId)
    if (entry === undefined) return undefined
    entries.push([tenantId, entry])
  }
  return summarize(deps, entries)
}

/** Mostly from this process; the rest is loaded with as few calls as possible. */
export async function readBrands(
  deps: BrandDeps,
  tenantIds: readonly TenantId[],
  call: UpstreamCall,
): Promise<Brands> {
  const wanted = [...new Set(tenantIds)]
  const key = wanted.join(' ')
  const known = deps.brandSets.find(deps, key)
  if (known !== undefined) return known
  // From before the read: what changes meanwhile makes the set outdated.
  const isSmall = wanted.length <= SET_TENANTS_MAX
  const stamp = isSmall ? deps.cache.stamp(wanted.flatMap(brandTags)) : undefined
  const brands = await readEach(deps, wanted, call)
  deps.brandSets.remember(key, brands, stamp)
  return brands
}

async function readEach(
  deps: BrandDeps,
  wanted: readonly TenantId[],
  call: UpstreamCall,
): Promise<Brands> {
  const warm = wanted.map((tenantId) => peekBrand(deps, tenantId))
  const cold = wanted.filter((_, at) => warm[at] === undefined)
  const load = loadTogether(deps, cold, call.trace)
  const read = (tenantId: TenantId) =>
    deps.brands.get({
      ...brandAddress(tenantId),
      deadline: call.deadline,
      load: (_signal, deadline) => load(tenantId, deadline),
    })
  const settled = await Promise.allSettled(cold.map(read))
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) deps.reportSection('brands', failed.reason)
  const fetched = new Map(cold.map((tenantId, at) => [tenantId, valueOf(settled[at])]))
  return summarize(
    deps,
    wanted.map((id, at) => [id, warm[at] ?? fetched.get(id)]),
  )
}

function peekBrand({ brands }: Pick<BrandDeps, 'brands'>, tenantId: TenantId) {
  const { dims, tags } = brandAddress(tenantId)
  return brands.peek(dims, tags)
}

function valueOf<T>(result: PromiseSettledResult<T> | undefined): T | undefined {
  return result?.status === 'fulfilled' ? result.value : undefined
}

/** However many entries are missing, the theme service is called once per hundred of them. */
function loadTogether(deps: BrandDeps, tenantIds: readonly TenantId[], trace: TraceContext) {
  return createBatchLoader({
    cache: deps.brandBatches,
    ids: tenantIds,
    maxPerCall: PEEKS_MAX,
    tagsOf: brandTags,
    load: async (ids, deadline) => {
      const request = { body: { tenantIds: [...ids] } }
      const { peeks } = await deps.upstreams.theme.peekBrands(request, { deadline, trace })
      return new Map(peeks.map((peek) => [peek.tenantId, writePeek(peek)]))
    },
  })
}

function writePeek({ primaryColor, logoUrl, brandName }: BrandPeekVM): string {
  const peek: BrandPeekVM = { primaryColor, logoUrl, brandName: pickLocalizedText(brandName) }
  return JSON.stringify(peek)
}

function summarize(
  { clock }: Pick<BrandDeps, 'clock'>,
  entries: readonly [TenantId, CachedBytes | undefined][],
): Brands {
  const nowMs = clock.nowMs()
  const bytesByTenant = new Map<TenantId, Buffer>()
  const etags: string[] = []
  let texts: ReadonlyMap<TenantId, string> | undefined
  let status: Brands['status'] = 'fresh'
  let oldestMs = 0
  let freshUntilMs = Number.POSITIVE_INFINITY
  for (const [tenantId, entry] of entries) {
    if (entry === undefined) {
      status = 'missing'
      continue
    }
    if (entry.state === 'stale' && status === 'fresh') status = 'stale'
    oldestMs = Math.max(oldestMs, entry.ageMs)
    freshUntilMs = Math.min(freshUntilMs, entry.freshUntilMs)
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
    get ageMs() {
      return oldestMs + Math.max(0, clock.nowMs() - nowMs)
    },
    freshUntilMs,
  }
}
