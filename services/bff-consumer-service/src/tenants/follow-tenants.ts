import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { TenantId } from '@melmastoon/domain'
import type { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import type { Static } from 'typebox'
import type { ConsumerContext } from '../context.ts'
import { EVERY_HOTEL } from '../listings/define-listings.ts'
import { EVERY_PAGE } from '../places/tags-of-area.ts'
import type { Verdict } from './blocked-tenants.ts'
import { tenantTags } from './define-tenants.ts'

type Told = Pick<ConsumerContext, 'blocked' | 'cache'>

export function dropSuspended(ctx: Told): EventHandler {
  return followVerdicts(ctx, (payload) => {
    const { tenantId, suspendedAt } = payload as Static<typeof tenantSuspended.payload>
    return { tenantId, blocked: true, decidedAtMs: Date.parse(suspendedAt) }
  })
}

export function readmitReactivated(ctx: Told): EventHandler {
  return followVerdicts(ctx, (payload) => {
    const { tenantId, reactivatedAt } = payload as Static<typeof tenantReactivated.payload>
    return { tenantId, blocked: false, decidedAtMs: Date.parse(reactivatedAt) }
  })
}

/**
 * The verdict first, the pages after it: a page that is composed because of the second already
 * knows the first.
 */
function followVerdicts(
  ctx: Told,
  read: (payload: unknown) => Verdict & { readonly tenantId: TenantId },
): EventHandler {
  return {
    scope: 'service',
    handle: async () => undefined,
    async onCommitted({ payload }) {
      const { tenantId, ...verdict } = read(payload)
      await ctx.blocked.decide(tenantId, verdict)
      await ctx.cache.invalidate([...tenantTags(tenantId), EVERY_PAGE, EVERY_HOTEL])
    },
  }
}
