import type { EventHandler } from '@melmastoon/chassis/inbox'
import type { themePublished } from '@melmastoon/platform-events'
import type { Static } from 'typebox'
import type { ConsumerContext } from '../context.ts'
import { EVERY_PAGE } from '../places/tags-of-area.ts'
import { brandTags } from './define-brands.ts'

/** A hotel may be on any page, and a new theme is rare: all pages are made anew, once. */
export function renewBrand(ctx: Pick<ConsumerContext, 'cache'>): EventHandler {
  return {
    scope: 'service',
    handle: async () => undefined,
    async onCommitted({ payload }) {
      const { tenantId } = payload as Static<typeof themePublished.payload>
      await ctx.cache.invalidate([...brandTags(tenantId), EVERY_PAGE])
    },
  }
}
