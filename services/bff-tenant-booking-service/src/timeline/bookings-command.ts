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
  const [verb = '', name = '', ...more] = words
  const draftId = isId('bdr', name) ? name : null
  if (more.length === 0 && verb === 'show' && draftId !== null) return show(db, draftId, print)
  if (more.length === 0 && verb === 'due' && (draftId !== null || name === 'all')) {
    return due(db, draftId, print)
  }
  print(mistakeIn({ verb, name, more }))
  print(USAGE)
  return EXIT_USAGE
}

const NAMES: Readonly<Record<string, string>> = {
  show: 'a draft id, bdr_ and 26 characters',
  due: 'a draft id, bdr_ and 26 characters, or all',
}

interface Words {
  readonly verb: string
  readonly name: string
  readonly more: readonly string[]
}

/** What is wrong, before the usage. */
function mistakeIn({ verb, name, more }: Words): string {
  if (verb === '') return 'Name a command.'
  const expected = NAMES[verb]
  if (expected === undefined) return `There is no command ${verb}.`
  if (name === '') return `bookings ${verb} needs ${expected}.`
  if (more.length > 0) return `bookings ${verb} takes one name only.`
  return `${name} is not ${expected}.`
}

async function show(db: Queryable, draftId: DraftId, print: Print): Promise<number> {
  const lines = await readTimeline(db, draftId)
  for (const line of lines ?? [`There is no draft ${draftId}.`]) print(line)
  return lines === null ? 1 : 0
}

async function due(db: Queryable, draftId: DraftId | null, print: Print): Promise<number> {
  const { length } = await db.query(makeDue(draftId))
  if (length === 0 && draftId !== null) {
    print(`${draftId} has no payment that is not settled: nothing was changed.`)
    return 1
  }
  const due = length === 1 ? '1 payment is due now.' : `${length} payments are due now.`
  print(length === 0 ? 'Every payment is settled: nothing was changed.' : due)
  return 0
}
