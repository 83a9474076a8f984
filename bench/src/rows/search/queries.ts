import { addDays, parseIsoDate, todayIn } from '@melmastoon/domain'

const PAGE_SIZE = 40

/** A stay in two weeks from the day of the run. */
export interface Query {
  readonly geo: { readonly mode: 'city'; readonly city: string }
  readonly dates: { readonly checkIn: string; readonly checkOut: string }
  readonly occupancy: { readonly adults: number; readonly children: number; readonly rooms: number }
  readonly filters: { readonly guestRatingMin?: number }
  readonly sortKey: 'recommended'
  readonly pageSize: number
  readonly currency: 'USD'
}

export function queryFor(now: Date): Query {
  const today = parseIsoDate(todayIn('Asia/Kabul', now))
  return {
    geo: { mode: 'city', city: 'kabul' },
    dates: { checkIn: addDays(today, 14), checkOut: addDays(today, 17) },
    occupancy: { adults: 2, children: 0, rooms: 1 },
    filters: {},
    sortKey: 'recommended',
    pageSize: PAGE_SIZE,
    currency: 'USD',
  }
}

const STAY_DAYS = 200
const STAY_NIGHTS_MAX = 7

/** Stays of one to seven nights, each with another first night than the one before. */
function variedStays({ dates }: Query): Query['dates'][] {
  const first = parseIsoDate(dates.checkIn)
  return Array.from({ length: STAY_DAYS * STAY_NIGHTS_MAX }, (_, index) => {
    const checkIn = addDays(first, index % STAY_DAYS)
    return { checkIn, checkOut: addDays(checkIn, (index % STAY_NIGHTS_MAX) + 1) }
  })
}

/**
 * Queries for other stays. A millionth of a rating point more makes each key different, without a
 * difference to the result.
 */
export function coldQueries(query: Query, count: number): Query[] {
  const stays = variedStays(query)
  return Array.from({ length: count }, (_, index) => ({
    ...query,
    dates: stays[index % stays.length] ?? query.dates,
    filters: { guestRatingMin: (index + 1) / 1_000_000 },
  }))
}

export interface ColdScript {
  readonly query: Query
  /** Makes the body of a request of a query. */
  readonly wrap: (query: unknown) => unknown
  readonly cookies: readonly string[]
}

/**
 * The same for wrk, sent by alternating guests. It starts at the current time, so that no round
 * repeats the queries of an earlier one.
 */
export function coldScript({ query, wrap, cookies }: ColdScript): string {
  const open = { ...query, dates: '$STAY', filters: { guestRatingMin: '$TURN' } }
  const body = JSON.stringify(wrap(open))
  const [head = '', middle = '', tail = ''] = body.split(/"\$STAY"|"\$TURN"/)
  const stays = variedStays(query).map((stay) => lua(JSON.stringify(stay)))
  return `
local head, middle, tail = ${lua(head)}, ${lua(middle)}, ${lua(tail)}
local cookies = {${cookies.map(lua).join(', ')}}
local stays = {${stays.join(', ')}}
local turn = os.time() % 4000 * 2000
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
request = function()
  turn = turn + 1
  wrk.headers['cookie'] = cookies[turn % #cookies + 1]
  local rating = string.format('%.6f', turn / 1000000)
  return wrk.format(nil, nil, nil, head .. stays[turn % #stays + 1] .. middle .. rating .. tail)
end
`
}

export function warmScript(body: string): string {
  return `
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
wrk.body = ${lua(body)}
`
}

/** Cyclically. */
export function rotatingScript(bodies: readonly string[]): string {
  return `
local bodies, turn = {${bodies.map(lua).join(', ')}}, 0
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
request = function()
  turn = turn % #bodies + 1
  return wrk.format(nil, nil, nil, bodies[turn])
end
`
}

function lua(text: string): string {
  return `[==[${text}]==]`
}

/**
 * Headers of a browser, sent to all alternatives; without them our service would classify the load
 * as a bot.
 */
export const VISITOR = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'application/json',
  'accept-language': 'en',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
} as const
