import { addDays, parseIsoDate } from '@melmastoon/domain'
import type { BenchWorld, Variant } from '../../harness/row.ts'
import type { Cold } from '../other-pages/cold-stay.ts'
import type { Hotel } from '../other-pages/page-requests.ts'
import type { Query } from '../search/queries.ts'
import { loadPage } from '../warm-page/page-variant.ts'
import { findLoad, writeScript } from '../warm-page/warm-variants.ts'

const DAYS = 200
const NIGHTS_MIN = 60
const NIGHTS_MAX = 92
const ADULTS_MAX = 20
const CONNECTIONS = 4

export function calendarPath({ propertyId }: Hotel, { dates, currency }: Query): string {
  const days = `from=${dates.checkIn}&nights=${NIGHTS_MIN}&adults=2`
  return `/bff/consumer/v1/hotels/${propertyId}/calendar?locale=en&currency=${currency}&${days}`
}

/** Every request is for other days or guests. */
export function coldCalendar(
  world: BenchWorld,
  path: string,
  ...[query, { name, role, start }]: [Query, Cold]
): Variant {
  return {
    name,
    role,
    async setup() {
      const server = await start()
      const script = writeScript(world, `calendar-${server.pid}.lua`, daysScript(path, query))
      const vary = (turn: number) => ({
        url: new URL(withDays(path, query, turn), server.url).href,
      })
      const expect = { status: 200 }
      const wrk = await findLoad(world)
      const load = { world, wrk, server, path, script, vary, expect, connections: CONNECTIONS }
      return loadPage({ ...load, headers: {} })
    },
  }
}

function withDays(path: string, { dates }: Query, turn: number): string {
  const [base = ''] = path.split('&from=')
  const from = addDays(parseIsoDate(dates.checkIn), 1 + (turn % DAYS))
  return `${base}&from=${from}&nights=${NIGHTS_MIN}&adults=1`
}

/** Starts at the current time, so that no round repeats the days of an earlier one. */
function daysScript(path: string, { dates }: Query): string {
  const first = addDays(parseIsoDate(dates.checkIn), 1)
  const days = Array.from({ length: DAYS }, (_, day) => addDays(first, day))
  const [base = ''] = path.split('&from=')
  const lengths = NIGHTS_MAX - NIGHTS_MIN + 1
  return `
local base, days = '${base}', {${days.map((day) => `'${day}'`).join(', ')}}
local turn = os.time() % 4000 * 29
request = function()
  turn = turn + 1
  local from = days[turn % ${DAYS} + 1]
  local nights = math.floor(turn / ${DAYS}) % ${lengths} + ${NIGHTS_MIN}
  local adults = math.floor(turn / ${DAYS * lengths}) % ${ADULTS_MAX} + 1
  return wrk.format('GET', base .. '&from=' .. from .. '&nights=' .. nights .. '&adults=' .. adults)
end
`
}
