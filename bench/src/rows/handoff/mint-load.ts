import type { Query } from '../search/queries.ts'

/** The request of a guest who continues on the site of a hotel. */
export function mintBody({ dates, occupancy, currency }: Query): string {
  return JSON.stringify({ dates, occupancy, currency, locale: 'en' })
}

export function keyOf(turn: number): string {
  return `bench-${process.pid}-${performance.now()}-${turn}`
}

/** A new key for every request, sent by alternating guests. */
export function mintScript(body: string, cookies: readonly string[]): string {
  return `
local cookies = {${cookies.map((cookie) => `'${cookie}'`).join(', ')}}
local run, turn = os.time(), 0
wrk.method = 'POST'
wrk.body = [==[${body}]==]
wrk.headers['content-type'] = 'application/json'
request = function()
  turn = turn + 1
  wrk.headers['cookie'] = cookies[turn % #cookies + 1]
  wrk.headers['idempotency-key'] = 'bench-' .. run .. '-' .. turn .. '-' .. math.random(1e9)
  return wrk.format()
end
`
}
