import { addDays, parseIsoDate, todayIn } from '@melmastoon/domain'
import { Pool } from 'undici'
import { measureWork } from '../../harness/measure-work.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { percentile } from '../../harness/statistics.ts'
import {
  type Hotel,
  type Method,
  type Progress,
  requestOf,
  STEPS,
  type Step,
  send,
  type Target,
  takeStep,
} from './booking-guest.ts'

const CONNECTIONS = 256
const DAYS = 300

interface Connect {
  readonly url: string
  readonly base: string
  readonly hotel: Hotel
  /** Guests who have loaded the site; bookings use them in turn. */
  readonly cookies: readonly string[]
}

interface Bookings {
  readonly count: number
  readonly inFlight: number
  readonly method: Method
}

let target: Target | null = null
let cookies: readonly string[] = []
let turn = 0

function connect({ url, base, hotel, cookies: given }: Connect): void {
  target = { pool: new Pool(url, { connections: CONNECTIONS }), base, hotel }
  cookies = given
}

function connected(): Target {
  if (target === null) throw new TypeError('not connected')
  return target
}

/** Another stay for every booking, as far as the calendar goes. */
function begin(method: Method): Progress {
  turn += 1
  const checkIn = addDays(parseIsoDate(todayIn('UTC', new Date())), 3 + (turn % DAYS))
  const stay = { checkIn, checkOut: addDays(checkIn, 2) }
  return { cookie: cookies[turn % cookies.length] ?? '', stay, adults: 2, method }
}

/** Whole bookings; the time of every hold is measured within. */
async function book({ count, inFlight, method }: Bookings) {
  const holds: number[] = []
  const done = await measureWork({
    count,
    inFlight,
    async run() {
      let progress = begin(method)
      for (const step of STEPS) {
        const startedAt = performance.now()
        progress = await takeStep(connected(), step, progress)
        if (step === 'hold') holds.push(performance.now() - startedAt)
      }
    },
  })
  return { ...done, holdP95Ms: percentile(holds, 0.95) }
}

let prepared: Progress[] = []

/** Bookings that have come as far as the given step. */
async function prepare({ step, count, inFlight, method }: Bookings & { readonly step: Step }) {
  prepared = Array.from({ length: count }, () => begin(method))
  const steps = STEPS.slice(0, STEPS.indexOf(step))
  const run = async (index: number) => {
    for (const each of steps) prepared[index] = await takeStep(connected(), each, at(index))
  }
  await measureWork({ count, inFlight, run })
}

function at(index: number): Progress {
  const progress = prepared[index]
  if (progress === undefined) throw new TypeError('not prepared')
  return progress
}

function takePrepared({ step, count, inFlight }: Bookings & { readonly step: Step }) {
  const run = (index: number) => takeStep(connected(), step, at(index))
  return measureWork({ count, inFlight, run })
}

const SOLD_OUT = 409

/** All guests have a quote for the last room, then all hold it at once. */
async function contend({ guests, day }: { readonly guests: number; readonly day: number }) {
  const checkIn = addDays(parseIsoDate(todayIn('UTC', new Date())), 3 + day)
  const stay = { checkIn, checkOut: addDays(checkIn, 1) }
  const waiting: Progress[] = []
  for (const cookie of cookies.slice(0, guests)) {
    const method = 'cash_on_arrival'
    waiting.push(await takeStep(connected(), 'quote', { cookie, stay, adults: 1, method }))
  }
  const times: number[] = []
  const statuses = await Promise.all(
    waiting.map(async (progress) => {
      const startedAt = performance.now()
      const request = requestOf(connected(), 'hold', progress)
      const { status } = await send(connected(), request, progress.cookie)
      times.push(performance.now() - startedAt)
      return status
    }),
  )
  return {
    won: statuses.filter((status) => status < 300).length,
    soldOut: statuses.filter((status) => status === SOLD_OUT).length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    p99Ms: percentile(times, 0.99),
  }
}

serveCommands({ connect, book, prepare, takePrepared, contend })
