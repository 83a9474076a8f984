import { addDays, parseIsoDate, todayIn } from '@melmastoon/domain'

const PAGE_SIZE = 40

/** What a traveller asks for in two weeks, on whatever day this runs. */
export interface Question {
  readonly geo: { readonly mode: 'city'; readonly city: string }
  readonly dates: { readonly checkIn: string; readonly checkOut: string }
  readonly occupancy: { readonly adults: number; readonly children: number; readonly rooms: number }
  readonly filters: { readonly guestRatingMin?: number }
  readonly sortKey: 'recommended'
  readonly pageSize: number
  readonly currency: 'USD'
}

export function questionFor(now: Date): Question {
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
 * The same question in words nobody has used before: a millionth of a rating point more changes
 * no answer, and is another page to every cache.
 */
export function coldQuestions(question: Question, count: number): Question[] {
  return Array.from({ length: count }, (_, index) => ({
    ...question,
    filters: { guestRatingMin: (index + 1) / 1_000_000 },
  }))
}

/**
 * For wrk: a counter in the place of the rating, asked by one guest after the other. It begins
 * where the clock says, so that no round repeats the questions of an earlier one.
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

/** One after the other, over and over. */
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
