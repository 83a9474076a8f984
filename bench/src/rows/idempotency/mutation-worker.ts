import { sql } from '@melmastoon/chassis/db'
import {
  createIdempotency,
  fingerprint,
  type IdempotencyScope,
  type IdempotencyStore,
  writeOnce,
} from '@melmastoon/chassis/idempotency'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { newId } from '@melmastoon/domain'
import { service as exampleService } from '@melmastoon/testkit/example-service'
import { exampleContext } from '../../harness/example-worker.ts'
import { measureWork } from '../../harness/measure-work.ts'
import { insertNote, makeNotes, type NoteToPlace } from '../../harness/note-events.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { placePlainly } from './plain-transaction.ts'

type Kind = 'none' | 'one-statement' | 'plain-transaction' | 'replay-redis' | 'replay-postgres'

interface Input {
  readonly kind: Kind
  readonly count: number
  readonly inFlight: number
}

const DAY_MS = 86_400_000
const BODY = { text: 'A note of usual length, from a guest who liked the garden.' }
const ctx = exampleContext()
const tenantId = newId('tnt')
const withoutShortcut = createIdempotency({
  db: ctx.db,
  schema: exampleService.config.schema,
  secret: Buffer.alloc(32, 1),
})
const claimed = sql`claimed`
const onlyIf = sql`exists (select from claimed)`

const MUTATIONS: Readonly<Record<Kind, (note: NoteToPlace, key: string) => Promise<unknown>>> = {
  none: placeWithoutKey,
  'one-statement': (note, key) => placeOnce(ctx.idempotency, note, key),
  'plain-transaction': (note, key) => placePlainly(ctx.db, note, { digest: key, body: BODY }),
  'replay-redis': (note, key) => expectReplay(ctx.idempotency, note, key),
  'replay-postgres': (note, key) => expectReplay(withoutShortcut, note, key),
}

function placeWithoutKey(note: NoteToPlace): Promise<unknown> {
  const events = appendEventsFragment([note.event], { onlyIf })
  return ctx.db.tenantQuery(
    tenantId,
    sql`with claimed as (select 1), effect as (${insertNote(note, claimed)}), events as (${events})
      select true as done from claimed`,
  )
}

function placeOnce(store: IdempotencyStore, note: NoteToPlace, key: string) {
  const request = { scope: scopeOf(key), requestHash: fingerprint(BODY), ttlMs: DAY_MS }
  return writeOnce(store, request, {
    effect: insertNote(note, claimed),
    events: [note.event],
    response: { status: 201, body: { noteId: note.note, ...BODY } },
  })
}

async function expectReplay(store: IdempotencyStore, note: NoteToPlace, key: string) {
  const outcome = await placeOnce(store, note, key)
  if (outcome.kind !== 'replay') throw new Error(`not a replay: ${outcome.kind}`)
}

function scopeOf(key: string): IdempotencyScope {
  return { service: 'bench', tenantId, principal: 'gms_bench', operation: 'bench.note', key }
}

let notes: NoteToPlace[] = []
let keys: string[] = []

/** Replays need keys that are known; everything else needs new ones. */
async function prepare({ kind, count, inFlight }: Input): Promise<void> {
  notes = makeNotes(count, tenantId)
  keys = notes.map(() => newId('req'))
  await ctx.db.query(sql`select 1`)
  if (!kind.startsWith('replay')) return
  const store = kind === 'replay-redis' ? ctx.idempotency : withoutShortcut
  await measureWork({
    count,
    inFlight,
    run: (index) => take(index, (note, key) => placeOnce(store, note, key)),
  })
  notes = makeNotes(count, tenantId)
}

function take(index: number, run: (note: NoteToPlace, key: string) => Promise<unknown>) {
  const note = notes[index]
  const key = keys[index]
  if (note === undefined || key === undefined) throw new TypeError('not prepared')
  return run(note, key)
}

serveCommands({
  prepare,
  measure: ({ kind, count, inFlight }: Input) =>
    measureWork({ count, inFlight, run: (index) => take(index, MUTATIONS[kind]) }),
})
