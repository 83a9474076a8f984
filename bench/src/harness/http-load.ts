import { execFile } from 'node:child_process'
import { Agent, request } from 'node:http'
import { promisify } from 'node:util'
import { findTool, type Tool } from '@melmastoon/one-machine'
import { LOAD_CORE, onCore } from './cores.ts'
import { percentile } from './statistics.ts'

const run = promisify(execFile)

export interface HttpLoad {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
  /** Sent by POST as JSON, cyclically if there are several, as the load script does. */
  readonly bodies?: readonly string[]
  /** A Lua script that makes or varies the requests. */
  readonly script?: string
  /** Path or headers of each request, where they differ, as in the load script. */
  readonly vary?: (turn: number) => Partial<Pick<Sent, 'url' | 'headers'>>
}

export interface LoadResult {
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Debian's wrk: its CPU use is low enough for one core to saturate the other. */
export async function findWrk(): Promise<Tool> {
  return findTool('wrk', { packages: ['wrk', 'libluajit-5.1-2', 'libluajit-5.1-common'] })
}

export async function runWrk(wrk: Tool, load: HttpLoad): Promise<LoadResult> {
  const headers = Object.entries(load.headers).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ])
  const [command = '', ...args] = onCore(LOAD_CORE, [
    wrk.path,
    '--latency',
    '-t1',
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    ...(load.script === undefined ? [] : ['-s', load.script]),
    ...headers,
    load.url,
  ])
  const { stdout } = await run(command, args, { env: wrk.env })
  return parseWrk(stdout)
}

/** Responses other than 2xx and 3xx and broken connections invalidate a measurement. */
export function parseWrk(output: string): LoadResult {
  const trouble = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(output)
  if (trouble !== null) throw new Error(`the load met ${trouble[0]}`)
  const requests = Number(/(\d+) requests in/.exec(output)?.[1] ?? Number.NaN)
  return { requests, p50Ms: latency(output, '50%'), p99Ms: latency(output, '99%') }
}

const UNITS_MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

function latency(output: string, share: string): number {
  // One-letter units are padded with a space.
  const match = new RegExp(`^\\s+${share}\\s+([\\d.]+)(us|ms|s|m) ?$`, 'm').exec(output)
  return Number(match?.[1] ?? Number.NaN) * (UNITS_MS[match?.[2] ?? ''] ?? Number.NaN)
}

/** For the short form: a few requests, to check that every server responds. */
export async function sendSome(load: HttpLoad, count: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const latencies: number[] = []
  for (let i = 0; i < count; i += 1) {
    const startedAt = performance.now()
    await sendOne({ ...load, ...turnOf(load, i) }, agent)
    latencies.push(performance.now() - startedAt)
  }
  agent.destroy()
  return {
    requests: count,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  }
}

/** The specific part of the given request of a load. */
export function turnOf({ bodies, headers, vary }: HttpLoad, index: number): Partial<Sent> {
  const body = bodies?.[index % bodies.length]
  const own = vary?.(index) ?? {}
  return {
    ...(body !== undefined && { body }),
    ...own,
    ...(own.headers && { headers: { ...headers, ...own.headers } }),
  }
}

export interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Without decompression: the size on the wire is measured. */
export function sendOne({ url, headers, body }: Sent, agent?: Agent): Promise<Reply> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...json },
    ...(agent && { agent }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        if (status < 200 || status >= 400) reject(new Error(`${url} responded ${status}`))
        else resolve({ status, headers: response.headers, body: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
