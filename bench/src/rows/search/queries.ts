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

/**
 * The same query with a different cache key: a millionth of a rating point more does not change the
 * result.
 */
export function coldQueries(query: Query, count: number): Query[] {
  return Array.from({ length: count }, (_, index) => ({
    ...query,
    filters: { guestRatingMin: (index + 1) / 1_000_000 },
  }))
}

/**
 * For wrk: a counter in place of the rating, sent by alternating guests. It starts at the current
 * time, so that no round repeats the queries of an earlier one.
 */
export function coldScript(template: string, cookies: readonly string[]): string {
  const [head = '', tail = ''] = template.split('"$TURN"')
  return `
local head, tail = ${lua(head)}, ${lua(tail)}
local cookies = {${cookies.map(lua).join(', ')}}
local turn = os.time() % 4000 * 2000
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
request = function()
  turn = turn + 1
  wrk.headers['cookie'] = cookies[turn % #cookies + 1]
  return wrk.format(nil, nil, nil, head .. string.format('%.6f', turn / 1000000) .. tail)
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
