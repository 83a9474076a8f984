import type { Cache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { themePublished } from '@melmastoon/platform-events'
import { EVERY_PAGE } from '../places/place-tags.ts'
import { brandTags } from './read-brands.ts'

/** The hotel may be on any page, and a new theme is rare: all pages are composed again, once. */
export function onThemePublished({ cache }: { readonly cache: Cache }): EventHandler {
  return on(themePublished, {
    afterCommit: ({ tenantId }) => cache.invalidate([...brandTags(tenantId), EVERY_PAGE]),
  })
}
