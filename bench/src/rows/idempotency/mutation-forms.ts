import { type Database, sql } from '@melmastoon/chassis/db'
import {
  claim,
  fingerprint,
  type IdempotencyScope,
  type IdempotencyStore,
  writeOnce,
} from '@melmastoon/chassis/idempotency'
import { appendEvents, appendEventsFragment } from '@melmastoon/chassis/outbox'
import type { Redis } from '@melmastoon/chassis/redis'
import { insertNote, type NoteToPlace } from '../../harness/note-events.ts'
import { placePlainly } from './plain-transaction.ts'

export interface Deps {
  readonly db: Database
  readonly redis: Redis
  readonly store: IdempotencyStore
  /** Without copies of responses in Redis. */
  readonly postgresOnly: IdempotencyStore
}

type Form = (deps: Deps, note: NoteToPlace, key: string) => Promise<unknown>

const DAY_MS = 86_400_000
const LEASE_MS = 10_000
const BODY = { text: 'A note of usual length, from a guest who liked the garden.' }
const claimed = sql`claimed`
const onlyIf = sql`exists (select from claimed)`
const oneRow = sql`(select 1) as one`

/** The same effect and event, written in different ways. */
export const FORMS = {
  none: ({ db }, note) => {
    const events = appendEventsFragment([note.event], { onlyIf })
    const effect = insertNote(note, claimed)
    const statement = sql`with claimed as (select 1), effect as (${effect}), events as (${events})
      select true as done from claimed`
    return db.tenantQuery(note.tenantId, statement)
  },
  'one-statement': ({ store }, note, key) => placeOnce(store, note, key),
  /** How the handoff was minted before: Redis first, claim, then a transaction. */
  'claim-transaction': async ({ db, redis, store }, note, key) => {
    await redis.get(key)
    const held = await take(store, note, key)
    await db.withTenant(note.tenantId, async (tx) => {
      await tx.query(insertNote(note, oneRow))
      await appendEvents(tx, [note.event])
      await held.completeIn(tx, responseTo(note))
    })
  },
  'two-statements': async ({ store }, note, key) => {
    const held = await take(store, note, key)
    held.upstreamKey('reserve')
    await held.complete(mutationOf(note))
  },
  /** How a mutation with an upstream call was written before. */
  'claim-checkpoint-transaction': async ({ db, redis, store }, note, key) => {
    await redis.get(key)
    const held = await take(store, note, key)
    held.upstreamKey('reserve')
    await held.checkpoint('reserved', { reservationRef: key })
    await db.withTenant(note.tenantId, async (tx) => {
      await tx.query(insertNote(note, oneRow))
      await appendEvents(tx, [note.event])
      await held.completeIn(tx, responseTo(note))
    })
  },
  'plain-transaction': ({ db }, note, key) => placePlainly(db, note, { digest: key, body: BODY }),
  'replay-redis': ({ store }, note, key) => expectReplay(store, note, key),
  'replay-postgres': ({ postgresOnly }, note, key) => expectReplay(postgresOnly, note, key),
} satisfies Record<string, Form>

export type Kind = keyof typeof FORMS

export function placeOnce(store: IdempotencyStore, note: NoteToPlace, key: string) {
  return writeOnce(store, requestOf(note, key), mutationOf(note))
}

async function take(store: IdempotencyStore, note: NoteToPlace, key: string) {
  const outcome = await claim(store, { ...requestOf(note, key), leaseMs: LEASE_MS })
  if (outcome.kind !== 'claimed') throw new Error(`not claimed: ${outcome.kind}`)
  return outcome.claim
}

async function expectReplay(store: IdempotencyStore, note: NoteToPlace, key: string) {
  const outcome = await placeOnce(store, note, key)
  if (outcome.kind !== 'replay') throw new Error(`not a replay: ${outcome.kind}`)
}

function requestOf({ tenantId }: NoteToPlace, key: string) {
  const operation = 'bench.note'
  const scope: IdempotencyScope = { service: 'bench', tenantId, principal: 'gms', operation, key }
  return { scope, requestHash: fingerprint(BODY), ttlMs: DAY_MS }
}

function mutationOf(note: NoteToPlace) {
  const response = responseTo(note)
  return { effect: insertNote(note, claimed), events: [note.event], response }
}

function responseTo({ note }: NoteToPlace) {
  return { status: 201, body: { noteId: note, ...BODY } }
}
