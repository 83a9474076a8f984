import type { TenantId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'

interface Found {
  readonly total: number
  readonly items: readonly { readonly tenantId: TenantId }[]
}

/** The projection hears of a suspension a moment later than we do. */
export function withoutBlocked<F extends Found>(
  { blocked }: Pick<ConsumerContext, 'blocked'>,
  found: F,
): F {
  const items = found.items.filter(({ tenantId }) => !blocked.has(tenantId))
  const hidden = found.items.length - items.length
  return hidden === 0 ? found : { ...found, items, total: Math.max(0, found.total - hidden) }
}
