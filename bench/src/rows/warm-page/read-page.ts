import { setTimeout as delay } from 'node:timers/promises'
import { sendOne } from '../../harness/http-load.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker } from '../../harness/worker.ts'
import { VISITOR } from '../search/queries.ts'
import type { ConsumerServer } from '../search/search-environment.ts'
import type { PageServer } from './page-variant.ts'

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
  const request = (headers: Record<string, string>) =>
    sendOne({
      url,
      headers: { ...VISITOR, cookie: us.cookie, ...headers },
      ...(query !== undefined && { body: query }),
    })
  await request({})
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

export async function startRaw(page: Page): Promise<PageServer> {
  const worker = startWorker(new URL('./raw-server.ts', import.meta.url))
  const port = await worker.run('start', {
    bodyBase64: page.body.toString('base64'),
    brotliBase64: page.brotli.toString('base64'),
    headers: page.headers,
  })
  return server(worker, `http://127.0.0.1:${String(port)}`)
}

export async function startPeer(
  world: BenchWorld,
  file: string,
  input: PageRequest & { readonly body: string; readonly database: number },
): Promise<PageServer> {
  if (!world.peersInstalled) throw new NotHere('not installed; the full run installs it')
  const worker = startWorker(peerProgram(file))
  const redisUrl = `${await world.redisUrl('cache')}/${input.database}`
  const { body, query, path } = input
  const port = await worker.run('start', { redisUrl, body, query, path })
  return server(worker, `http://127.0.0.1:${String(port)}`)
}

function server(worker: AsyncDisposable & { pid: number }, url: string): PageServer {
  return { url, pid: worker.pid, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() }
}
