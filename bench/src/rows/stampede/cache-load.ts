import { Agent, get } from 'node:http'
import { serveCommands } from '../../harness/serve-commands.ts'

export interface CacheStart {
  readonly mode: string
  readonly redisCacheUrl: string
  readonly redisSessionUrl: string
  readonly upstreamUrl: string
  readonly ttlMs: number
}

export type Get = (key: string) => Promise<unknown>

/** A process that reads a cache, given by the caller, as fast as possible. */
export function respondAsCache(createGet: (start: CacheStart) => Get | Promise<Get>): void {
  let get: Get = () => Promise.reject(new Error('not started'))
  serveCommands({
    async start(options: CacheStart) {
      get = await createGet(options)
    },
    /** Many concurrent reads of one key. */
    async burst({ key, count, atMs }: { key: string; count: number; atMs: number }) {
      await until(atMs)
      const before = process.cpuUsage()
      const latenciesMs = await Promise.all(Array.from({ length: count }, () => timed(get, key)))
      const { user, system } = process.cpuUsage(before)
      return { latenciesMs, cpuMs: (user + system) / 1000 }
    },
    /** Steady reads of one key that expires repeatedly. */
    async crowd({ key, perMs, seconds }: { key: string; perMs: number; seconds: number }) {
      await get(key)
      const responses: Promise<number>[] = []
      const endAtMs = performance.now() + seconds * 1000
      while (performance.now() < endAtMs) {
        for (let i = 0; i < perMs; i += 1) responses.push(timed(get, key))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return { latenciesMs: await Promise.all(responses) }
    },
  })
}

async function timed(get: Get, key: string): Promise<number> {
  const startedAt = performance.now()
  await get(key)
  return performance.now() - startedAt
}

async function until(atMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - Date.now() - 2)))
  while (Date.now() < atMs);
}

const agent = new Agent({ keepAlive: true })

export function readUpstream(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
      response.on('error', reject)
    }).on('error', reject)
  })
}
