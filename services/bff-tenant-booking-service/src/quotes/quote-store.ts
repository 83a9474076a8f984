import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { QuoteId, TenantId } from '@melmastoon/domain'
import type { pricingContract, Quote } from '@melmastoon/upstream-contracts/pricing'

export interface QuoteStoreDeps {
  readonly cacheRedis: Redis
  readonly keys: KeySpace
  readonly errors: ErrorReporter
  readonly upstreams: { readonly pricing: ClientOf<typeof pricingContract> }
}

/** Quotes never change, so a stored one is as good as the one of the pricing service. */
export async function storeQuote(deps: QuoteStoreDeps, quote: Quote): Promise<void> {
  const lifeMs = Math.ceil(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt))
  if (!(lifeMs > 0)) return
  try {
    await deps.cacheRedis.set(keyOf(deps, quote), JSON.stringify(quote), 'PX', lifeMs)
  } catch (error) {
    deps.errors.report('quote-store', error)
  }
}

/**
 * A quote of this tenant, for the hold. Without Redis it is read from the pricing service.
 * @returns null for a quote that does not exist here (D18), also one of another tenant.
 */
export async function readQuote(
  deps: QuoteStoreDeps,
  key: { readonly tenantId: TenantId; readonly quoteId: QuoteId },
  call: UpstreamCall,
): Promise<Quote | null> {
  const stored = await readStored(deps, key)
  if (stored !== null) return stored
  const { tenantId, quoteId } = key
  const quote = await deps.upstreams.pricing
    .getQuote({ params: { quoteId } }, { ...call, tenantId })
    .catch(asAbsent)
  return quote?.tenantId === tenantId ? quote : null
}

async function readStored(
  deps: QuoteStoreDeps,
  key: { readonly tenantId: TenantId; readonly quoteId: QuoteId },
): Promise<Quote | null> {
  try {
    const text = await deps.cacheRedis.get(keyOf(deps, key))
    return text === null ? null : (JSON.parse(text) as Quote)
  } catch (error) {
    deps.errors.report('quote-store', error)
    return null
  }
}

function keyOf(
  { keys }: QuoteStoreDeps,
  { tenantId, quoteId }: { readonly tenantId: TenantId; readonly quoteId: QuoteId },
): string {
  return `${keys.prefix('quote')}${tenantId}:${quoteId}`
}
