import {
  type BatchCache,
  type Cache,
  type DefinedCache,
  defineBatches,
} from '@melmastoon/chassis/cache'
import type { TenantId } from '@melmastoon/domain'
import { rememberAddresses } from '../remember-addresses.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

const FRESH_MS = 15 * 60_000
/** A hotel keeps its colours for longer than its theme service may be away. */
const STALE_IF_ERROR_MS = 24 * 3_600_000

export type BrandCache = DefinedCache<'tenantId'>

/** One entry per tenant: its peek as JSON, ready to be put into cards (C11). */
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

export const brandAddress = rememberAddresses('tenantId', brandTags)
