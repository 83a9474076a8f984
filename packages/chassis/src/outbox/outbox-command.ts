import { isProblem } from '@melmastoon/domain'
import type { Queryable } from '../db/index.ts'
import { deadEvents, outboxDepth } from './outbox-sql.ts'
import { replayEvent, replayPublishedSince } from './replay-event.ts'

export interface OutboxCommandOptions {
  /** Opens the database under the relay's role. */
  open(): { db: Queryable } & AsyncDisposable
  print?: (line: string) => void
}

const USAGE = 'depth | dead | replay <eventId>… | replay-since <2026-03-21T09:00:00Z>'
const DEAD_SHOWN = 500

/** The command line of a service's outbox (P4). Resolves to the exit code. */
export async function runOutboxCommand(
  words: readonly string[],
  options: OutboxCommandOptions,
): Promise<number> {
  const print = options.print ?? ((line) => process.stdout.write(`${line}\n`))
  const work = chooseWork(words, print)
  if (work === null) {
    print(USAGE)
    return 2
  }
  await using opened = options.open()
  try {
    return await work(opened.db)
  } catch (error) {
    if (!isProblem(error)) throw error
    print(`${error.code} ${error.detail}`)
    return 1
  }
}

type Work = (db: Queryable) => Promise<number>

function chooseWork(words: readonly string[], print: (line: string) => void): Work | null {
  const [verb, ...rest] = words
  const since = new Date(rest[0] ?? Number.NaN)
  if (verb === 'depth' && rest.length === 0) return (db) => printDepth(db, print)
  if (verb === 'dead' && rest.length === 0) return (db) => printDead(db, print)
  if (verb === 'replay' && rest.length > 0) return (db) => replayAll(db, rest, print)
  if (verb !== 'replay-since' || rest.length !== 1 || Number.isNaN(since.getTime())) return null
  return async (db) => {
    print(`${await replayPublishedSince(db, since)} events will be published again`)
    return 0
  }
}

async function printDepth(db: Queryable, print: (line: string) => void): Promise<number> {
  const [depth] = await db.query(outboxDepth())
  print(JSON.stringify(depth))
  return 0
}

async function printDead(db: Queryable, print: (line: string) => void): Promise<number> {
  for (const event of await db.query(deadEvents(DEAD_SHOWN))) print(JSON.stringify(event))
  return 0
}

/** An unknown id does not prevent the replay of the others. */
async function replayAll(
  db: Queryable,
  eventIds: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  let unknown = 0
  for (const eventId of eventIds) {
    const found = await replayEvent(db, eventId)
    if (!found) unknown += 1
    print(`${eventId} ${found ? 'will be published again' : 'is neither dead nor published here'}`)
  }
  return unknown === 0 ? 0 : 1
}
