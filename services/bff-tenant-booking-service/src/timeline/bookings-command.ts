import type { Queryable } from '@melmastoon/chassis/db'
import { type DraftId, isId } from '@melmastoon/domain'
import { readTimeline } from './read-timeline.ts'
import { makeDue } from './timeline-sql.ts'

const USAGE = `bookings show <draftId>   prints what happened to a booking, without personal data
bookings due <draftId>    makes its payment due, so that the poller looks at it now
bookings due all          the same for every payment that is not settled`
const EXIT_USAGE = 2

type Print = (line: string) => void

/** For operators. Nothing here changes the state of a booking; `due` sets a due time only. */
export async function runBookingsCommand(
  words: readonly string[],
  db: Queryable,
  print: Print = (line) => process.stdout.write(`${line}\n`),
): Promise<number> {
  const [verb, name = '', ...more] = words
  const draftId = isId('bdr', name) ? name : null
  if (more.length === 0 && verb === 'show' && draftId !== null) return show(db, draftId, print)
  if (more.length === 0 && verb === 'due' && (draftId !== null || name === 'all')) {
    return due(db, draftId, print)
  }
  print(USAGE)
  return EXIT_USAGE
}

async function show(db: Queryable, draftId: DraftId, print: Print): Promise<number> {
  const lines = await readTimeline(db, draftId)
  for (const line of lines ?? [`There is no draft ${draftId}.`]) print(line)
  return lines === null ? 1 : 0
}

async function due(db: Queryable, draftId: DraftId | null, print: Print): Promise<number> {
  const { length } = await db.query(makeDue(draftId))
  print(`${length} ${length === 1 ? 'payment is' : 'payments are'} due now`)
  return length === 0 && draftId !== null ? 1 : 0
}
