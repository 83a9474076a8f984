import type { Tool } from '@melmastoon/one-machine'
import { countCpu } from '../../harness/cpu-per-piece.ts'
import { type HttpLoad, runWrk, sendOne, sendSome, turnOf } from '../../harness/http-load.ts'
import type { PageServer } from '../../harness/page-server.ts'
import { residentMib } from '../../harness/process-stat.ts'
import type { BenchWorld, Running } from '../../harness/row.ts'
import { VISITOR } from '../search/queries.ts'

export interface PageLoad {
  readonly world: BenchWorld
  readonly wrk: Tool | null
  readonly server: PageServer
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly expect: { readonly status: number; readonly xCache?: string }
  /** Absent for a GET request. */
  readonly bodies?: readonly string[]
  /** Produces the same requests for wrk; called with the number of requests sent before. */
  readonly script?: string | ((sent: number) => string)
  /** The varying part of each request in the short form, as in the script. */
  readonly vary?: HttpLoad['vary']
  readonly connections?: number
  /** Until the code is optimised; longer for larger programs. */
  readonly warmSeconds?: number
}

const CONNECTIONS = 32
const SHORT_REQUESTS = 40
const WARM_SECONDS = 3
/** Of one measurement. */
const SECONDS = 2
const WARMED_MAX = 64

/** Measures one server, started by the caller, under one kind of request. */
export async function loadPage(options: PageLoad): Promise<Running> {
  const { world, wrk, server, path, headers, bodies, script, vary } = options
  const load: HttpLoad = {
    url: new URL(path, server.url).href,
    headers: { ...VISITOR, ...headers },
    connections: options.connections ?? CONNECTIONS,
    seconds: SECONDS,
    ...(bodies && { bodies }),
    ...(vary && { vary }),
  }
  const bytes = await checkResponse(options, load)
  let sent = 0
  const send = async (seconds: number) => {
    const path = typeof script === 'function' ? script(sent) : script
    const lua = path === undefined ? {} : { script: path }
    const done =
      wrk === null
        ? await sendSome(load, SHORT_REQUESTS)
        : await runWrk(wrk, { ...load, ...lua, seconds })
    sent += done.requests
    return done
  }
  let isWarm = world.short
  return {
    async measure() {
      if (!isWarm) await send(options.warmSeconds ?? WARM_SECONDS)
      isWarm = true
      const cpuPer = countCpu(world, server.pid)
      const { requests, p50Ms, p99Ms } = await send(SECONDS)
      const cpu = cpuPer(requests)
      const perSecond = requests / SECONDS
      return { ...cpu, perSecond, p50Ms, p99Ms, bytes, mib: residentMib(server.pid), requests }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Each query is sent twice, so that caches are warm. */
async function checkResponse({ expect, bodies }: PageLoad, load: HttpLoad): Promise<number> {
  for (let at = 0; at < Math.min(WARMED_MAX, bodies?.length ?? 1); at += 1) {
    await sendOne({ ...load, ...turnOf(load, at) })
  }
  const { status, headers, body } = await sendOne({ ...load, ...turnOf(load, 0) })
  const xCache = headers['x-cache']
  if (status !== expect.status || (expect.xCache !== undefined && xCache !== expect.xCache)) {
    throw new Error(`${load.url} responded ${status} ${String(xCache)}, not ${expect.status}`)
  }
  return body.length
}
