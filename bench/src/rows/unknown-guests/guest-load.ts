import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchWorld } from '../../harness/row.ts'

/** Requests with one body by many guests; see `PageLoad`. */
export interface GuestLoad {
  readonly bodies: readonly string[]
  readonly script: (sent: number) => string
  readonly vary: (turn: number) => { headers: { cookie: string } }
}

interface Guests {
  readonly body: string
  readonly cookies: readonly string[]
}

/** Cyclically: a round continues where the last one ended. */
export function guestsInTurn(world: BenchWorld, { body, cookies }: Guests): GuestLoad {
  const write = scriptWriter(world, body)
  const script = (sent: number) => {
    const from = sent % cookies.length
    return write([...cookies.slice(from), ...cookies.slice(0, from)], { ends: false })
  }
  return { bodies: [body], script, vary: varyingCookie(cookies) }
}

/** Every guest sends one request, so a round ends with its guests. The first round is warm-up. */
export function guestsOnce(
  world: BenchWorld,
  { body, cookies, rounds }: Guests & { readonly rounds: number },
): GuestLoad {
  const write = scriptWriter(world, body)
  const perRound = Math.floor(cookies.length / (rounds + 1))
  let round = 0
  const script = () => {
    const from = round * perRound
    round += 1
    if (round > rounds + 1) throw new Error('more rounds than guests')
    return write(cookies.slice(from, from + perRound), { ends: true })
  }
  return { bodies: [body], script, vary: varyingCookie(cookies) }
}

function varyingCookie(cookies: readonly string[]): GuestLoad['vary'] {
  return (turn) => ({ headers: { cookie: cookies[turn % cookies.length] ?? '' } })
}

let writers = 0

/** A Lua program may not contain as many texts, so they are in a file. */
function scriptWriter(world: BenchWorld, body: string) {
  writers += 1
  const file = join(world.folder('wrk'), `guests-${writers}`)
  return (cookies: readonly string[], { ends }: { ends: boolean }) => {
    writeFileSync(`${file}.txt`, cookies.join('\n'))
    writeFileSync(`${file}.lua`, guestScript(`${file}.txt`, body, ends))
    return `${file}.lua`
  }
}

function guestScript(file: string, body: string, ends: boolean): string {
  return `
local cookies, turn = {}, 0
for cookie in io.lines('${file}') do cookies[#cookies + 1] = cookie end
wrk.method = 'POST'
wrk.headers['content-type'] = 'application/json'
wrk.body = [==[${body}]==]
request = function()
  if ${ends} and turn == #cookies then wrk.thread:stop() end
  turn = turn % #cookies + 1
  wrk.headers['cookie'] = cookies[turn]
  return wrk.format()
end
`
}
