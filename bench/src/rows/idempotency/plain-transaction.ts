import { type Database, sql } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid } from '@melmastoon/domain'
import { insertNote, type NoteToPlace } from '../../harness/note-events.ts'

/**
 * How it is usually done: claim the key, do the work, store the result; one round trip for each.
 */
export function placePlainly(
  db: Database,
  note: NoteToPlace,
  request: { readonly digest: string; readonly body: unknown },
): Promise<void> {
  const tenant = idToUuid(note.tenantId)
  const { digest, body } = request
  return db.transaction(async (tx) => {
    await tx.query(sql`select set_config('app.tenant_id', ${tenant}, true)`)
    const won = await tx.query(sql`
      insert into idempotency (tenant_id, key, request_hash, lease_until)
      values (${tenant}::uuid, ${digest}, ${digest}, now() + interval '15 s')
      on conflict (tenant_id, key) do nothing returning attempt`)
    if (won.length !== 1) throw new Error('the key was taken')
    await tx.query(insertNote(note, sql`(select 1) as one`))
    await appendEvents(tx, [note.event])
    await tx.query(sql`
      update idempotency set state = 'completed', status_code = 201,
        response = ${JSON.stringify({ headers: {}, body: JSON.stringify(body), encoding: 'utf8' })}::jsonb
      where tenant_id = ${tenant}::uuid and key = ${digest}`)
  })
}
