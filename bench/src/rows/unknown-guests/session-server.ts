import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { serveCommands } from '../../harness/serve-commands.ts'

interface Start {
  readonly redisUrl: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

const SESSION = JSON.stringify({ locale: 'en', currency: 'USD', createdAt: '2026-01-01' })
const BATCH = 1_000

/** The limit: ready bytes, and the guest's session is read from Redis. */
async function start({ redisUrl, body: text, headers, cookies }: Start): Promise<number> {
  const redis = new Redis(redisUrl)
  for (let at = 0; at < cookies.length; at += BATCH) {
    const batch = cookies.slice(at, at + BATCH).flatMap((cookie) => [`guest:${cookie}`, SESSION])
    await redis.mset(...batch)
  }
  const body = Buffer.from(text)
  const plain = { ...headers, 'content-length': String(body.length) }
  const isKnown = async (request: IncomingMessage) =>
    (await redis.get(`guest:${request.headers.cookie ?? ''}`)) !== null
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      isKnown(request).then(
        (known) => response.writeHead(known ? 200 : 401, known ? plain : {}).end(known && body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

serveCommands({ start })
