import type { Cache } from '@melmastoon/chassis/cache'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { idToUuid } from '@melmastoon/domain'
import { notePlaced } from '../events.ts'
import { PAGE_TAGS } from '../page/read-page.ts'
import { countNote } from './sql/count-note.ts'

/** The count and the record of the event commit together; then the page is invalidated. */
export function countNotes(cache: Cache): EventHandler {
  return on(notePlaced, {
    scope: 'tenant',
    handle: async (tx, { tenantId }) => {
      await tx.query(countNote(idToUuid(tenantId)))
    },
    afterCommit: () => cache.invalidate(PAGE_TAGS),
  })
}
