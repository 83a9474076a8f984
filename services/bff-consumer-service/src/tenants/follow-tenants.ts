import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import type { Static } from 'typebox'
import type { ConsumerContext } from '../context.ts'
import { EVERY_PAGE } from '../places/tags-of-area.ts'

type Told = Pick<ConsumerContext, 'blocked' | 'cache'>

/**
 * The verdict first, the pages after it: a page that is composed because of the second already
 * knows the first.
 */
export function dropSuspended(ctx: Told): EventHandler {
  return {
    scope: 'service',
    handle: async () => undefined,
    async onCommitted({ payload }) {
      const { tenantId, suspendedAt } = payload as Static<typeof tenantSuspended.payload>
      const decidedAtMs = Date.parse(suspendedAt)
      await ctx.blocked.decide(tenantId, { blocked: true, decidedAtMs })
      await ctx.cache.invalidate([EVERY_PAGE])
    },
  }
}

export function readmitReactivated(ctx: Told): EventHandler {
  return {
    scope: 'service',
    handle: async () => undefined,
    async onCommitted({ payload }) {
      const { tenantId, reactivatedAt } = payload as Static<typeof tenantReactivated.payload>
      const decidedAtMs = Date.parse(reactivatedAt)
      await ctx.blocked.decide(tenantId, { blocked: false, decidedAtMs })
      await ctx.cache.invalidate([EVERY_PAGE])
    },
  }
}
