import { type SqlFragment, sql } from '@melmastoon/chassis/db'
import { idToUuid, newId, type RequestId, type TenantId } from '@melmastoon/domain'
import { registry } from '@melmastoon/testkit/example-events'

export interface NoteToPlace {
  readonly tenantId: TenantId
  readonly note: string
  readonly event: ReturnType<typeof registry.build>
}

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'

/** Events are built in advance where only writing them is measured. */
export function makeNotes(count: number, tenantId: TenantId): NoteToPlace[] {
  return Array.from({ length: count }, () => {
    const noteId = newId('wsh')
    return { tenantId, note: idToUuid(noteId), event: buildEvent(tenantId, noteId) }
  })
}

export function buildEvent(tenantId: TenantId, noteId: string) {
  const occurredAt = new Date()
  return registry.build(
    'melmastoon.example.note.placed.v1',
    { tenantId, noteId, lengthChars: 60, placedAt: occurredAt.toISOString() },
    {
      producerInstance: 'bench',
      tenantId,
      requestId: newId('req') as RequestId,
      traceparent: TRACEPARENT,
      occurredAt,
    },
  )
}

/** `source` is a CTE with one row, or with none when the note must not be written. */
export function insertNote({ tenantId, note }: NoteToPlace, source: SqlFragment): SqlFragment {
  return sql`
    insert into notes (tenant_id, id, text)
    select ${idToUuid(tenantId)}::uuid, ${note}::uuid, ${TEXT} from ${source} returning 1`
}

const TEXT = 'A note of usual length, from a guest who liked the garden.'
