import type { PageServer } from '../../harness/page-server.ts'
import type { BenchWorld, Role, Variant } from '../../harness/row.ts'
import { loadPage } from './page-variant.ts'
import { findLoad, writeScript } from './warm-variants.ts'

const CONNECTIONS = 4

/** Enough paths that none is repeated within the time that a page is cached. */
export interface VariedPaths {
  readonly base: string
  /** A path is the base and one text of each list. */
  readonly parts: readonly (readonly string[])[]
}

export interface Cold {
  readonly name: string
  readonly role: Role
  readonly start: () => Promise<PageServer>
}

/** Every request has another path. */
export function coldVariant(
  world: BenchWorld,
  paths: VariedPaths,
  { name, role, start }: Cold,
): Variant {
  return {
    name,
    role,
    async setup() {
      const server = await start()
      const script = writeScript(world, `cold-${server.pid}.lua`, pathScript(paths))
      const vary = (turn: number) => ({ url: new URL(pathAt(paths, turn), server.url).href })
      const load = { world, wrk: await findLoad(world), server, path: pathAt(paths, 0) }
      const sent = { script, vary, headers: {}, expect: { status: 200 } }
      return loadPage({ ...load, ...sent, connections: CONNECTIONS })
    },
  }
}

function pathAt({ base, parts }: VariedPaths, turn: number): string {
  let [path, rest] = [base, turn]
  for (const texts of parts) {
    path += texts[rest % texts.length] ?? ''
    rest = Math.floor(rest / texts.length)
  }
  return path
}

/** Starts at the current time, so that no round repeats the paths of an earlier one. */
function pathScript({ base, parts }: VariedPaths): string {
  const lists = parts.map((texts) => `{${texts.map((text) => `'${text}'`).join(', ')}}`)
  return `
local parts = {${lists.join(', ')}}
local turn = os.time() % 4000 * 29
request = function()
  turn = turn + 1
  local path, rest = '${base}', turn
  for _, texts in ipairs(parts) do
    path = path .. texts[rest % #texts + 1]
    rest = math.floor(rest / #texts)
  end
  return wrk.format('GET', path)
end
`
}
