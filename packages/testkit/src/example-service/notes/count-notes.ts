import type { Cache } from '@melmastoon/chassis/cache'
import type { EventHandler } from '@melmastoon/chassis/inbox'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import { PAGE_TAGS } from '../page/read-page.ts'
import { countNote } from './sql/count-note.ts'

/** The count and the record that the event was seen commit together; then the page is told. */
export function countNotes(cache: Cache): EventHandler {
  return {
    scope: 'tenant',
    handle: async (tx, event) => {
      await tx.query(countNote(idToUuid(event.envelope.tenantId as TenantId)))
    },
    onCommitted: () => cache.invalidate(PAGE_TAGS),
  }
}
