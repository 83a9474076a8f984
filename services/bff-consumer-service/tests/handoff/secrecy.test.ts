import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@melmastoon/one-machine'
import { eventually, spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { bookingService, credentials, mint, mintForNewGuest } from '../harness/handoff-client.ts'
import { consumerEnvironment, type TestEnvironment } from '../harness/start-consumer.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)

let upstreams: FakeUpstreams
let environment: TestEnvironment

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  environment = await consumerEnvironment(upstreams)
})
afterAll(async () => {
  await environment[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

/** Stores every trace it receives, as text. */
async function startCollector() {
  const received: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString('latin1'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

it('SEC-H10 a token is in no log, trace, metric, event or table', async () => {
  await using collector = await startCollector()
  const [port, internalPort] = [await freePort(), await freePort()]
  const [url, internalUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${internalPort}`]
  await using child = spawnProcess(ENTRY, {
    env: {
      ...environment.env,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      LOG_LEVEL: 'debug',
      OTLP_URL: collector.url,
      TRACE_SAMPLE_RATIO: '1',
    },
  })
  await eventually(async () => expect((await fetch(`${url}/health/ready`)).status).toBe(200), {
    timeoutMs: 60_000,
  })
  const [hotel] = upstreams.hotels
  if (hotel === undefined) throw new Error('no hotels')
  const { tenantId } = hotel
  const { token, guest } = await mintForNewGuest(url, hotel)
  const booking = bookingService(internalUrl)
  // Wherever a client may put a token by mistake: used, replayed, in URLs, headers and bodies.
  await booking.present(token, tenantId)
  expect((await booking.present(token, tenantId)).status).toBe(409)
  await booking.consume(token, {})
  await booking.consume(`x?h=${token}`, { tenantId: token, arrivalId: token })
  await fetch(`${url}/book?h=${token}`, { headers: { referer: `${url}/?h=${token}` } })
  await fetch(`${url}/book/${token}`, { headers: { ...credentials(), 'x-request-id': token } })
  await fetch(`${url}/bff/consumer/v1/search?h=${token}`, { method: 'POST', body: token })
  await mint(url, guest.cookie, hotel, { json: { locale: token }, headers: { referer: token } })
  await mint(url, `__Host-gms_id=${token}`, hotel, { key: token.slice(0, 200) })

  const metrics = [await textOf(`${internalUrl}/metrics`), await textOf(`${url}/docs/json`)]
  await child.kill('SIGTERM')
  expect(collector.received.join('')).toContain('/bff/consumer/v1/handoff/:tenantId/:propertyId')
  const places = {
    logs: child.lines.join('\n'),
    traces: collector.received.join('\n'),
    metrics: metrics.join('\n'),
    upstreams: JSON.stringify(upstreams.requests),
    ...(await tables()),
  }
  expect(places.logs).toContain('consumer.handoff.mint')
  for (const [place, text] of Object.entries(places)) {
    for (const piece of piecesOf(token))
      expect([place, text.includes(piece)]).toEqual([place, false])
  }
  // The idempotency store replays the response, encrypted.
  const [stored] = await environment.query<{ text: string }>(
    "select string_agg(response::text, ' ') as text from bff_consumer.idempotency",
  )
  expect(stored?.text).toContain('sealed')
  // Control: the pieces would be found in a text that contains the token.
  for (const piece of piecesOf(token)) {
    expect(stored?.text).not.toContain(piece)
    expect(`{"token":"${token}"}`).toContain(piece)
  }
}, 90_000)

/** The token, its signature, and every part of it that is secret. */
function piecesOf(token: string): string[] {
  const [payload = '', mac = ''] = token.split('.')
  return [mac, mac.slice(0, 20), payload.slice(0, 40), payload.slice(-40)]
}

async function textOf(url: string): Promise<string> {
  return await (await fetch(url)).text()
}

/** Every table of the service except the idempotency store, row by row as text. */
async function tables(): Promise<Record<string, string>> {
  const names = await environment.query<{
    name: string
  }>(`select table_name as name from information_schema.tables
      where table_schema = 'bff_consumer' and table_type = 'BASE TABLE'
        and table_name <> 'idempotency'`)
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['outbox', 'handoff_replay_log', 'bot_score_log']),
  )
  const texts = names.map(async ({ name }) => {
    const [row] = await environment.query<{ text: string | null }>(
      `select string_agg(t::text, ' ') as text from bff_consumer."${name}" t`,
    )
    return [name, row?.text ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}
