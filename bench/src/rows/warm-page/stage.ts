import { sendOne } from '../../harness/http-load.ts'
import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker } from '../../harness/worker.ts'
import { startPageUpstream } from './page-upstream.ts'
import type { PageServer } from './page-variant.ts'

export const PAGE = '/example/v1/page?locale=en&currency=USD'
export const BROWSER = { 'accept-encoding': 'gzip, deflate, br' }

/** The page as the example service sends it: the floor and the peers serve the very same. */
export interface Page {
  readonly body: Buffer
  readonly brotli: Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
}

export interface Stage {
  readonly upstream: AsyncDisposable
  readonly env: Readonly<Record<string, string>>
}

export async function setStage(world: BenchWorld): Promise<Stage> {
  const upstream = await startPageUpstream()
  const env = { ...(await world.exampleEnv()), EXAMPLE_UPSTREAM_URL: upstream.url }
  return { upstream, env }
}

export interface ExampleServer extends PageServer {
  readonly cookie: string
}

export async function startExample(
  stage: Stage,
  { withoutL1 = false }: { withoutL1?: boolean } = {},
): Promise<ExampleServer> {
  const worker = startWorker(new URL('./example-server.ts', import.meta.url), { env: stage.env })
  const url = (await worker.ask('start', { withoutL1 })) as string
  const session = await fetch(new URL('/example/v1/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ locale: 'en' }),
  })
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  if (cookie === '') throw new Error(`no session was started: ${session.status}`)
  return {
    url,
    cookie,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}

export async function readPage(example: ExampleServer): Promise<Page> {
  const url = new URL(PAGE, example.url).href
  const cookie = { cookie: example.cookie }
  await sendOne({ url, headers: cookie })
  const plain = await sendOne({ url, headers: cookie })
  const packed = await sendOne({ url, headers: { ...cookie, ...BROWSER } })
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
  const port = await worker.ask('start', {
    bodyBase64: page.body.toString('base64'),
    brotliBase64: page.brotli.toString('base64'),
    headers: page.headers,
  })
  return server(worker, `http://127.0.0.1:${String(port)}`)
}

export async function startPeer(
  world: BenchWorld,
  file: string,
  input: { readonly body: string; readonly database: number },
): Promise<PageServer> {
  if (!world.peersInstalled) throw new NotHere('not installed; the full run installs it')
  const worker = startWorker(peerProgram(file))
  const redisUrl = `${await world.redisUrl('cache')}/${input.database}`
  const port = await worker.ask('start', { redisUrl, body: input.body })
  return server(worker, `http://127.0.0.1:${String(port)}`)
}

function server(worker: AsyncDisposable & { pid: number }, url: string): PageServer {
  return { url, pid: worker.pid, [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose]() }
}
