import { setTimeout as delay } from 'node:timers/promises'
import { sendOne } from '../../harness/http-load.ts'
import { type PageServer, startPageServer } from '../../harness/page-server.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { sendWhenReady } from '../../harness/send-when-ready.ts'
import { VISITOR } from '../search/queries.ts'
import type { ConsumerServer } from '../search/search-environment.ts'

const SMALLER_TURNS_MAX = 50
export const BROWSER = { 'accept-encoding': 'gzip, deflate, br' }

/** The page as the consumer service sends it; the floor and the peers serve the same bytes. */
export interface Page {
  readonly body: Buffer
  readonly brotli: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
}

/** How a page is requested: by POST if there is a body. */
export interface PageRequest {
  readonly path: string
  readonly query?: string
  /** The response changes within a minute, so its etag cannot be used for long. */
  readonly isVolatile?: boolean
}

export async function readPage(
  us: Pick<ConsumerServer, 'url' | 'cookie'>,
  { path, query }: PageRequest,
): Promise<Page> {
  const url = new URL(path, us.url).href
  const asked = (headers: Record<string, string>) => ({
    url,
    headers: { ...VISITOR, cookie: us.cookie, ...headers },
    ...(query !== undefined && { body: query }),
  })
  const request = (headers: Record<string, string>) => sendOne(asked(headers))
  await sendWhenReady(asked({}))
  const plain = await request({})
  const quick = await request(BROWSER)
  let packed = quick
  const isPacked = quick.headers['content-encoding'] !== undefined
  // The smallest encoding is produced in the background after the first responses.
  for (
    let turn = 0;
    isPacked && turn < SMALLER_TURNS_MAX && packed.body.length >= quick.body.length;
    turn += 1
  ) {
    await delay(20)
    packed = await request(BROWSER)
  }
  const { 'content-length': _length, date: _date, connection: _c, ...headers } = plain.headers
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return {
    body: plain.body,
    brotli: packed.body,
    headers: Object.fromEntries(texts.filter(([name]) => name !== 'keep-alive')),
    etag: String(plain.headers['etag']),
  }
}

export function startRaw(world: BenchWorld, page: Page): Promise<PageServer> {
  return startPageServer(world, new URL('./raw-server.ts', import.meta.url), {
    bodyBase64: page.body.toString('base64'),
    brotliBase64: page.brotli.toString('base64'),
    headers: page.headers,
  })
}

/** A peer that caches the page in Redis. */
export async function startPeer(
  world: BenchWorld,
  file: string,
  { path, query, body }: PageRequest & { readonly body: string },
): Promise<PageServer> {
  const redisUrl = await world.emptyRedis('cache')
  return startPageServer(world, peerProgram(file), { redisUrl, body, query, path })
}
