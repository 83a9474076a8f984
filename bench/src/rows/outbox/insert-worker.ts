import { sql } from '@melmastoon/chassis/db'
import { appendEvents, appendEventsFragment } from '@melmastoon/chassis/outbox'
import { idToUuid, newId } from '@melmastoon/domain'
import { exampleContext } from '../../harness/example-worker.ts'
import { measureWork } from '../../harness/measure-work.ts'
import { insertNote, makeNotes, type NoteToPlace } from '../../harness/note-events.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

export type InsertKind = 'statement' | 'transaction' | 'batch'

interface Input {
  readonly kind: InsertKind
  readonly count: number
  readonly inFlight: number
  /** Events per unit of work. */
  readonly batch: number
}

const ctx = exampleContext()
const tenantId = newId('tnt')
const one = sql`(select 1) as one`
let batches: NoteToPlace[][] = []

const INSERTS: Readonly<Record<InsertKind, (notes: readonly NoteToPlace[]) => Promise<unknown>>> = {
  statement([note]) {
    if (note === undefined) throw new TypeError('nothing to insert')
    const events = appendEventsFragment([note.event])
    return ctx.db.tenantQuery(
      tenantId,
      sql`with effect as (${insertNote(note, one)}), events as (${events}) select 1 as done`,
    )
  },
  transaction: ([note]) =>
    ctx.db.transaction(async (tx) => {
      if (note === undefined) throw new TypeError('nothing to insert')
      await tx.query(sql`select set_config('app.tenant_id', ${idToUuid(tenantId)}, true)`)
      await tx.query(insertNote(note, one))
      await appendEvents(tx, [note.event])
    }),
  batch: (notes) =>
    appendEvents(
      ctx.db,
      notes.map(({ event }) => event),
    ),
}

serveCommands({
  prepare({ count, batch }: Input) {
    batches = Array.from({ length: count }, () => makeNotes(batch, tenantId))
  },
  measure: ({ kind, count, inFlight }: Input) =>
    measureWork({ count, inFlight, run: (index) => INSERTS[kind](batches[index] ?? []) }),
  /** The statement of a peer. */
  describeEvent: () => ({
    ...makeNotes(1, tenantId)[0]?.event,
    tenantUuid: idToUuid(tenantId),
  }),
})
