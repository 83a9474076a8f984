import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { CurrencyCode } from '@melmastoon/domain'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import type { PropertyKey } from '../properties/read-hotel-day.ts'
import { ratesTag } from './widget-address.ts'

export type PriceCurrencyCache = DefinedCache<'tenantId' | 'propertyId'>

export interface PriceCurrencyDeps {
  readonly priceCurrency: PriceCurrencyCache
  readonly upstreams: { readonly pricing: Pick<ClientOf<typeof pricingContract>, 'listRatePlans'> }
}

/** A hotel hardly ever changes its currency: prices need one call instead of two. */
export function definePriceCurrency(cache: Cache, loadTimeoutMs: number): PriceCurrencyCache {
  return cache.define({
    name: 'price-currency',
    dimensions: ['tenantId', 'propertyId'],
    softTtlMs: 5 * 60_000,
    staleWhileRevalidateMs: 60 * 60_000,
    staleIfErrorMs: 24 * 3_600_000,
    /** Until the first plan is published. */
    negativeTtlMs: 10_000,
    loadTimeoutMs,
  })
}

/** The currency in which the hotel sets its prices; null while no plan is published. */
export async function readPriceCurrency(
  { priceCurrency, upstreams: { pricing } }: PriceCurrencyDeps,
  { tenantId, propertyId }: PropertyKey,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<CurrencyCode | null> {
  const { body, status } = await priceCurrency.get({
    dims: { tenantId, propertyId },
    tags: [ratesTag({ tenantId, propertyId })],
    deadline: requestDeadline,
    load: async (_signal, deadline) => {
      const call = { tenantId, deadline, trace }
      const { ratePlans } = await pricing.listRatePlans({ query: { propertyId } }, call)
      const plan = ratePlans.find((each) => each.status === 'published')
      return plan === undefined ? { body: 'null', status: 404 } : { body: plan.currency }
    },
  })
  return status === 200 ? (body.toString() as CurrencyCode) : null
}
